// Stands where something is still being read. Shows nothing for 400 ms, lines after that, and after 5 s that it is still at it.

export function Skeleton({ lines, label }: { readonly lines: number; readonly label: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} aria-hidden="true" />
      ))}
      <p className="skeleton-late" aria-hidden="true">
        {label}. Still at it.
      </p>
    </div>
  );
}
