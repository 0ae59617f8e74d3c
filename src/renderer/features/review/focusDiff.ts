// Gives the focus back to the diff that a field of its lies in, before the field goes: its keys go on where they were.

export function focusDiff(field: Element): void {
  field.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
}
