// What names mean in C#, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const csharpQuery: LanguageQuery = {
  names: `
(compilation_unit) @scope
[(method_declaration) (constructor_declaration) (local_function_statement) (lambda_expression)
 (anonymous_method_expression) (accessor_declaration) (operator_declaration)] @scope.function
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section)
 (class_declaration) (interface_declaration) (struct_declaration) (record_declaration) (delegate_declaration)] @scope
(declaration_list) @scope.class

(namespace_declaration name: (_) @name) @def.namespace
(class_declaration name: (identifier) @name) @type.class
(record_declaration name: (identifier) @name) @type.class
(interface_declaration name: (identifier) @name) @type.interface
(struct_declaration name: (identifier) @name) @type.struct
(enum_declaration name: (identifier) @name) @type.enum
(delegate_declaration name: (identifier) @name) @def.type
(method_declaration name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name) @def.constructor
(local_function_statement name: (identifier) @name) @def.function
(property_declaration name: (identifier) @name) @def.property
((field_declaration (modifier) @_modifier (variable_declaration (variable_declarator name: (identifier) @name))) @def.constant
  (#match? @_modifier "^(const|readonly)$"))

(file_scoped_namespace_declaration name: (_) @package)
(using_directive name: (identifier) @alias (qualified_name qualifier: (_) @from name: (identifier) @import))
(using_directive name: (identifier) @alias (identifier) @import .)
`,
  uses: `
(parameter name: (identifier) @local)
(implicit_parameter) @local
(variable_declarator name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(type_parameter name: (identifier) @local)

(argument name: (identifier) @skip)
(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression expression: _ @receiver name: (identifier) @member.call))
(invocation_expression function: (member_access_expression expression: _ @receiver name: (generic_name (identifier) @member.call)))
(invocation_expression function: (conditional_access_expression condition: _ @receiver (member_binding_expression name: (identifier) @member.call)))
(conditional_access_expression condition: _ @receiver (member_binding_expression name: (identifier) @member))
(member_access_expression expression: _ @receiver name: (identifier) @member)
(qualified_name qualifier: (_) @receiver name: (identifier) @member)
(identifier) @ref
`,
};
