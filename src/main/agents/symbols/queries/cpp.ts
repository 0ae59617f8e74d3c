// What names mean in C++, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

/** A declared function, whatever its result is wrapped in. */
const functionOf = (name: string) =>
  `[(function_declarator declarator: ${name})
    (pointer_declarator declarator: (function_declarator declarator: ${name}))
    (reference_declarator (function_declarator declarator: ${name}))]`;

/** A declared variable, whatever its type is wrapped in. */
const variable = `[(identifier) @local (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local) (array_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))]`;

export const cppQuery: LanguageQuery = {
  names: `
(translation_unit) @scope
[(function_definition) (lambda_expression)] @scope.function
[(compound_statement) (for_statement) (for_range_loop) (if_statement) (while_statement) (catch_clause)
 (template_declaration) (namespace_definition) (preproc_function_def) (field_declaration)] @scope
(declaration declarator: (function_declarator)) @scope
(field_declaration_list) @scope.class

(field_declaration_list (function_definition declarator: (function_declarator declarator: (identifier) @name)) @def.constructor)
(field_declaration_list (declaration declarator: (function_declarator declarator: (identifier) @name)) @def.constructor)
(function_definition declarator: ${functionOf("(identifier) @name")}) @def.function
(function_definition declarator: ${functionOf("(field_identifier) @name")}) @def.method
(function_definition declarator: ${functionOf("(qualified_identifier scope: (_) @owner name: (identifier) @name)")}) @def.method
(function_definition declarator: ${functionOf("(qualified_identifier name: (qualified_identifier scope: (_) @owner name: (identifier) @name))")}) @def.method
(field_declaration declarator: ${functionOf("(field_identifier) @name")}) @def.method
(declaration declarator: ${functionOf("(identifier) @name")}) @outer.function
(class_specifier name: (type_identifier) @name body: (_)) @type.class
(struct_specifier name: (type_identifier) @name body: (_)) @type.struct
(union_specifier name: (type_identifier) @name body: (_)) @type.struct
(enum_specifier name: (type_identifier) @name body: (_)) @type.enum
(namespace_definition name: (_) @name) @def.namespace
(alias_declaration name: (type_identifier) @name) @def.type
(type_definition declarator: (type_identifier) @name) @def.type
(preproc_def name: (identifier) @name) @def.macro
(preproc_function_def name: (identifier) @name) @def.macro
((declaration (type_qualifier) @_qualifier declarator: (init_declarator declarator: (identifier) @name)) @outer.constant
  (#match? @_qualifier "^const"))
(declaration declarator: (init_declarator declarator: (identifier) @name)) @outer.variable

(using_declaration (qualified_identifier scope: (_) @from name: (identifier) @import))
(namespace_alias_definition name: (namespace_identifier) @alias (namespace_identifier) @import)
(namespace_alias_definition name: (namespace_identifier) @alias (nested_namespace_specifier) @import)
`,
  uses: `
(parameter_declaration declarator: ${variable})
(optional_parameter_declaration declarator: ${variable})
(preproc_params (identifier) @local)
(declaration declarator: (identifier) @local) @after
(declaration declarator: (init_declarator declarator: ${variable})) @after
(for_range_loop declarator: ${variable})
(structured_binding_declarator (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
(field_declaration declarator: (field_identifier) @local)

(call_expression function: (identifier) @call)
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier !scope name: (identifier) @call))
(new_expression type: (type_identifier) @call)
(call_expression function: (qualified_identifier scope: (_) @qualifier name: (identifier) @member.call))
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @qualifier name: (identifier) @member.call)))
(call_expression function: (field_expression argument: _ @receiver field: (field_identifier) @member.call))
(call_expression function: (field_expression argument: _ @receiver field: (template_method name: (field_identifier) @member.call)))
(qualified_identifier scope: (_) @qualifier name: (identifier) @member)
(qualified_identifier scope: (_) @qualifier name: (type_identifier) @member)
(field_expression argument: _ @receiver field: (field_identifier) @member)
(identifier) @ref
(type_identifier) @ref
(namespace_identifier) @ref
`,
};
