// What names mean in Ruby, as tree-sitter queries. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const rubyQuery: LanguageQuery = {
  names: `
(program) @scope
[(method) (singleton_method)] @scope.function.closed
[(class) (module) (singleton_class)] @scope.class.closed
[(block) (do_block) (lambda)] @scope

(method name: (_) @name) @def.function
(singleton_method name: (_) @name) @def.function
(class name: (_) @name) @type.class
(module name: (_) @name) @type.module
(assignment left: (constant) @name) @outer.constant

(alias name: (identifier) @alias alias: (identifier) @import)
((call method: (identifier) @_alias arguments: (argument_list . (simple_symbol) @alias (simple_symbol) @import .))
  (#eq? @_alias "alias_method"))
`,
  uses: `
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)
(assignment left: (identifier) @local @after)
(operator_assignment left: (identifier) @local @after)
(left_assignment_list (identifier) @local @after)

(call !receiver method: (identifier) @call)
(call receiver: (_) @receiver method: (identifier) @member.call)
(block_argument (simple_symbol) @member)
(scope_resolution scope: (_) @receiver name: (constant) @member)
(identifier) @ref
(constant) @ref
`,
};
