// What names mean in Go, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

const receiver = (type: string) => `
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier)? @self type: ${type}))
  name: (field_identifier) @name) @def.method
`;

export const goQuery: LanguageQuery = {
  names: `
(source_file) @scope
[(function_declaration) (method_declaration) (func_literal)] @scope.function
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)
 (expression_case) (type_case) (default_case) (communication_case) (function_type) (method_elem)] @scope

(function_declaration name: (identifier) @name) @def.function
${receiver("(type_identifier) @owner")}
${receiver("(pointer_type (type_identifier) @owner)")}
${receiver("(generic_type type: (type_identifier) @owner)")}
${receiver("(pointer_type (generic_type type: (type_identifier) @owner))")}
(type_spec name: (type_identifier) @name type: (struct_type)) @type.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @type.interface
(type_spec name: (type_identifier) @name) @def.type
(type_alias name: (type_identifier) @name) @def.type
(interface_type (method_elem name: (field_identifier) @name) @def.method)
(const_spec name: (identifier) @name) @outer.constant
(var_spec name: (identifier) @name) @outer.variable

(package_clause (package_identifier) @package)
(import_spec name: (package_identifier) @module path: (_) @from)
(import_spec !name path: (_) @from @module)
`,
  uses: `
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local)) @after
(range_clause left: (expression_list (identifier) @local)) @after
(const_spec name: (identifier) @local) @after
(var_spec name: (identifier) @local) @after
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))

(keyed_element . (literal_element (identifier) @skip))
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @member.call))
(selector_expression operand: (_) @receiver field: (field_identifier) @member)
(qualified_type package: (_) @receiver name: (type_identifier) @member)
(identifier) @ref
(type_identifier) @ref
`,
};
