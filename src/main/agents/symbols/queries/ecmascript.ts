// What names mean in TypeScript, TSX and JavaScript, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

const names = `
(program) @scope
[(statement_block) (for_statement) (for_in_statement) (catch_clause) (switch_body)] @scope
[(function_declaration) (function_expression) (generator_function_declaration) (generator_function)
 (arrow_function) (method_definition)] @scope.function
(class_declaration) @scope
(class_body) @scope.class

(function_declaration name: (identifier) @name) @def.function
(generator_function_declaration name: (identifier) @name) @def.function
(class_declaration name: (_) @name) @type.class
((method_definition name: (property_identifier) @name) @def.constructor (#eq? @name "constructor"))
(method_definition name: [(property_identifier) (private_property_identifier)] @name) @def.method
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @outer.function
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name value: (object)) @outer.constant.type)
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @outer.constant)
(variable_declarator name: (identifier) @name) @outer.variable

(import_statement (import_clause (named_imports (import_specifier !alias name: (identifier) @import))) source: (string) @from)
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @import alias: (identifier) @alias))) source: (string) @from)
(import_statement (import_clause (identifier) @import) source: (string) @from)
(import_statement (import_clause (namespace_import (identifier) @module)) source: (string) @from)
(export_statement (export_clause (export_specifier name: (identifier) @reexport)) source: (string) @from)
((variable_declarator name: (identifier) @module
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @from .)))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @import value: (identifier) @alias))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @from .)))
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @import)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @from .)))
  (#eq? @_require "require"))
`;

const uses = `
(function_expression name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(variable_declaration (variable_declarator name: (identifier) @local.function))
(variable_declarator name: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)
(catch_clause parameter: (identifier) @local)

(export_specifier alias: (_) @skip)
(call_expression function: (identifier) @call)
(new_expression constructor: (identifier) @call)
(decorator (identifier) @call)
(call_expression function: (member_expression object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @member.call))
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @member.call))
(member_expression object: (_) @receiver property: [(property_identifier) (private_property_identifier)] @member)
(identifier) @ref
(shorthand_property_identifier) @ref
`;

/** An element is a call of its component; in lower case it is the page's own. */
const jsxUses = `
((jsx_opening_element name: (identifier) @call) (#match? @call "^[A-Z_$]"))
((jsx_self_closing_element name: (identifier) @call) (#match? @call "^[A-Z_$]"))
((jsx_opening_element name: (identifier) @skip) (#not-match? @skip "^[A-Z_$]"))
((jsx_self_closing_element name: (identifier) @skip) (#not-match? @skip "^[A-Z_$]"))
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @member.call))
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @member.call))
(jsx_closing_element name: (identifier) @skip)
(jsx_closing_element name: (member_expression property: (property_identifier) @skip))
`;

export const javascriptQuery: LanguageQuery = {
  names: `${names}
(field_definition property: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def.method
`,
  uses: `${uses}${jsxUses}
(formal_parameters (identifier) @local)
(class name: (identifier) @local)
`,
};

export const typescriptQuery: LanguageQuery = {
  names: `${names}
[(function_type) (function_signature) (method_signature) (abstract_method_signature) (call_signature)
 (construct_signature) (interface_declaration) (type_alias_declaration) (abstract_class_declaration)] @scope

(function_signature name: (identifier) @name) @def.function
(abstract_class_declaration name: (_) @name) @type.class
(interface_declaration name: (_) @name) @type.interface
(type_alias_declaration name: (_) @name) @def.type
(enum_declaration name: (_) @name) @type.enum
(internal_module name: (identifier) @name) @def.namespace
(interface_body (method_signature name: (property_identifier) @name) @def.method)
(interface_body (property_signature name: (property_identifier) @name type: (type_annotation (function_type))) @def.method)
(class_body (method_signature name: (property_identifier) @name) @def.method)
(abstract_method_signature name: (property_identifier) @name) @def.method
(public_field_definition name: (property_identifier) @name value: [(arrow_function) (function_expression)]) @def.method
`,
  uses: `${uses}
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(class name: (type_identifier) @local)

(nested_type_identifier module: (_) @receiver name: (type_identifier) @member)
(type_identifier) @ref
`,
};

export const tsxQuery: LanguageQuery = { names: typescriptQuery.names, uses: typescriptQuery.uses + jsxUses };
