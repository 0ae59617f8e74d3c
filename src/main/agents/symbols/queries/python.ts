// What names mean in Python, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const pythonQuery: LanguageQuery = {
  names: `
(module) @scope
[(function_definition) (lambda)] @scope.function
(class_definition) @scope.class
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope

(function_definition name: (identifier) @name) @def.function
(class_definition name: (identifier) @name) @type.class
((assignment left: (identifier) @name) @outer.constant (#match? @name "^[A-Z][A-Z0-9_]*$"))
(module (expression_statement (assignment left: (identifier) @name) @outer.variable))
(type_alias_statement left: (type (identifier) @name)) @def.type
((class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.constant))))

(import_from_statement module_name: (_) @from name: (dotted_name (identifier) @import .))
(import_from_statement module_name: (_) @from name: (aliased_import name: (dotted_name (identifier) @import .) alias: (identifier) @alias))
(import_statement name: (dotted_name . (identifier) @module) @from)
(import_statement name: (aliased_import name: (dotted_name) @from alias: (identifier) @module))
`,
  uses: `
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_parameter (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(assignment left: (identifier) @local)
(augmented_assignment left: (identifier) @local)
(pattern_list (identifier) @local)
(tuple_pattern (identifier) @local)
(list_pattern (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
(global_statement (identifier) @unbind)
(nonlocal_statement (identifier) @unbind)

(keyword_argument name: (identifier) @skip)
(call function: (identifier) @call)
(decorator (identifier) @call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @member.call))
(attribute object: (_) @receiver attribute: (identifier) @member)
(identifier) @ref
`,
};
