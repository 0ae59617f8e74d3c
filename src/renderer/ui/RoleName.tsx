// A role: its glyph, and its word in the role's own hue.

export function RoleName({ role }: { readonly role: string }) {
  return (
    <span className="role-name" data-role={role}>
      <i className="role" aria-hidden="true" />
      {role.charAt(0).toUpperCase() + role.slice(1)}
    </span>
  );
}
