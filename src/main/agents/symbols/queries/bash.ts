// What names mean in Bash, as tree-sitter queries. A command's arguments are words, never names. Holds no logic.

import type { LanguageQuery } from "./query.ts";

export const bashQuery: LanguageQuery = {
  names: `
(program) @scope
(function_definition) @scope.function
[(subshell) (command_substitution)] @scope

(function_definition name: (word) @name) @def.function
(declaration_command "readonly" (variable_assignment name: (variable_name) @name) @outer.constant)
(declaration_command ["export" "declare" "typeset"] (variable_assignment name: (variable_name) @name) @outer.variable)
(program (variable_assignment name: (variable_name) @name) @outer.variable)
`,
  uses: `
(declaration_command "local" (variable_assignment name: (variable_name) @local))

(command name: (command_name (word) @call))
(simple_expansion (variable_name) @ref)
(expansion (variable_name) @ref)
`,
};
