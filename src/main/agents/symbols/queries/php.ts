// What names mean in PHP, as tree-sitter queries. Variables have names of their own and are left out. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const phpQuery: LanguageQuery = {
  names: `
(program) @scope
[(function_definition) (method_declaration) (anonymous_function) (arrow_function)] @scope.function
(declaration_list) @scope.class

(function_definition name: (name) @name) @def.function
(method_declaration name: (name) @name) @def.method
(class_declaration name: (name) @name) @type.class
(interface_declaration name: (name) @name) @type.interface
(trait_declaration name: (name) @name) @type.trait
(enum_declaration name: (name) @name) @type.enum
(const_element (name) @name) @outer.constant
(namespace_definition name: (_) @name body: (_)) @def.namespace

(namespace_definition name: (_) @package !body)
(namespace_use_clause !alias (qualified_name prefix: (_) @from (name) @import))
(namespace_use_clause (qualified_name prefix: (_) @from (name) @import) alias: (name) @alias)
(namespace_use_clause . (name) @import .)
(namespace_use_declaration (namespace_name) @from body: (namespace_use_group (namespace_use_clause !alias . (name) @import)))
(namespace_use_declaration (namespace_name) @from body: (namespace_use_group (namespace_use_clause . (name) @import alias: (name) @alias)))
`,
  uses: `
(variable_name (name) @skip)
(argument name: (name) @skip)
(enum_case name: (name) @skip)
(function_call_expression function: (name) @call)
(object_creation_expression (name) @call)
(function_call_expression function: (qualified_name prefix: (_) @qualifier (name) @member.call))
(member_call_expression object: (_) @receiver name: (name) @member.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @member.call)
(scoped_call_expression scope: (_) @receiver name: (name) @member.call)
(member_access_expression object: (_) @receiver name: (name) @member)
(class_constant_access_expression . (_) @receiver (name) @member .)
(qualified_name prefix: (_) @qualifier (name) @member)
(name) @ref
`,
};
