// The key of an action, shown beside it. Whoever hears the action is told the key by `aria-keyshortcuts`.

export function Key({ name }: { readonly name: string }) {
  return <kbd aria-hidden="true">{name}</kbd>;
}
