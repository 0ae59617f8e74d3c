// What is asked of each language's trees. A type only.

/** Tree-sitter queries, whose captures are explained in `captures.ts`. */
export interface LanguageQuery {
  /** Scopes, definitions and imports: enough for an outline, and a third of the work. */
  readonly names: string;
  /** Locals and references. Makes sense only together with `names`. */
  readonly uses: string;
}
