// Paths and patterns, one beside the other.

export function Patterns({ patterns }: { readonly patterns: readonly string[] }) {
  return (
    <ul className="patterns">
      {patterns.map((pattern) => (
        <li key={pattern}>
          <code>{pattern}</code>
        </li>
      ))}
    </ul>
  );
}
