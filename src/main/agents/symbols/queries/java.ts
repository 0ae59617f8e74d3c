// What names mean in Java, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const javaQuery: LanguageQuery = {
  names: `
(program) @scope
[(method_declaration) (constructor_declaration) (compact_constructor_declaration) (lambda_expression)] @scope.function
[(block) (for_statement) (enhanced_for_statement) (catch_clause) (try_with_resources_statement)
 (switch_block_statement_group) (class_declaration) (interface_declaration) (record_declaration)] @scope
[(class_body) (interface_body) (enum_body) (annotation_type_body)] @scope.class

(class_declaration name: (identifier) @name) @type.class
(record_declaration name: (identifier) @name) @type.class
(interface_declaration name: (identifier) @name) @type.interface
(annotation_type_declaration name: (identifier) @name) @type.interface
(enum_declaration name: (identifier) @name) @type.enum
(method_declaration name: (identifier) @name) @def.method
(constructor_declaration name: (identifier) @name) @def.constructor
((field_declaration (modifiers) @_modifiers declarator: (variable_declarator name: (identifier) @name)) @def.constant
  (#match? @_modifiers "static") (#match? @_modifiers "final"))
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.constant

(package_declaration (_) @package)
(import_declaration (scoped_identifier scope: (_) @from name: (identifier) @import))
`,
  uses: `
(formal_parameter name: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(variable_declarator name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(type_parameter (type_identifier) @local)

(method_invocation !object name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(method_invocation object: (_) @receiver name: (identifier) @member.call)
(method_reference . (_) @receiver (identifier) @member .)
(field_access object: (_) @receiver field: (identifier) @member)
(identifier) @ref
(type_identifier) @ref
`,
};
