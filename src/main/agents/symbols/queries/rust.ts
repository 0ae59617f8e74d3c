// What names mean in Rust, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

/** The type that a block of methods is for. */
const implementing = (type: string) => `(impl_item type: ${type}) @owner.scope\n`;

export const rustQuery: LanguageQuery = {
  names: `
(source_file) @scope
[(function_item) (function_signature_item) (closure_expression)] @scope.function
[(block) (match_arm) (if_expression) (while_expression) (for_expression) (mod_item)
 (struct_item) (enum_item) (type_item)] @scope
[(impl_item) (trait_item)] @scope.class
${implementing("(type_identifier) @owner")}
${implementing("(generic_type type: (type_identifier) @owner)")}
${implementing("(scoped_type_identifier name: (type_identifier) @owner)")}

(function_item name: (identifier) @name) @def.function
(function_signature_item name: (identifier) @name) @def.function
(struct_item name: (type_identifier) @name) @type.struct
(union_item name: (type_identifier) @name) @type.struct
(enum_item name: (type_identifier) @name) @type.enum
(trait_item name: (type_identifier) @name) @type.trait
(type_item name: (type_identifier) @name) @def.type
(const_item name: (identifier) @name) @outer.constant
(static_item name: (identifier) @name) @outer.variable
(mod_item name: (identifier) @name) @def.module
(macro_definition name: (identifier) @name) @def.macro

(use_declaration argument: (identifier) @import)
(use_declaration argument: (scoped_identifier path: (_) @from name: (identifier) @import))
(use_as_clause path: (scoped_identifier path: (_) @from name: (identifier) @import) alias: (identifier) @alias)
(scoped_use_list path: (_) @from list: (use_list (identifier) @import))
(scoped_use_list path: (_) @from list: (use_list (scoped_identifier name: (identifier) @import)))
(scoped_use_list path: (_) @from list: (use_list (use_as_clause path: (identifier) @import alias: (identifier) @alias)))
`,
  uses: `
(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local) @after
(const_item name: (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(slice_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(match_pattern (identifier) @local)
(let_condition pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)

(call_expression function: (identifier) @call)
(call_expression function: (generic_function function: (identifier) @call))
(macro_invocation macro: (identifier) @call)
(call_expression function: (scoped_identifier path: (_) @qualifier name: (identifier) @member.call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @qualifier name: (identifier) @member.call)))
(call_expression function: (field_expression value: (_) @receiver field: (field_identifier) @member.call))
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @member.call)))
(token_tree (_) @receiver . "." . (identifier) @member.call . (token_tree))
(token_tree (_) @receiver . "." . (identifier) @member)
(token_tree (_) @qualifier . "::" . (identifier) @member.call . (token_tree))
(token_tree (_) @qualifier . "::" . (identifier) @member)
(token_tree (identifier) @call . (token_tree))
(scoped_identifier path: (_) @qualifier name: (identifier) @member)
(scoped_type_identifier path: (_) @qualifier name: (type_identifier) @member)
(field_expression value: (_) @receiver field: (field_identifier) @member)
(identifier) @ref
(type_identifier) @ref
`,
};
