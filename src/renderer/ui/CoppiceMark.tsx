// The sign of Coppice: stems from one stump.

export function CoppiceMark({ size }: { readonly size: number }) {
  return (
    <svg className="coppice-mark" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 14.2V1.8M8 14.2C4.6 13.4 2.8 10.4 2.8 6M8 14.2c3.4-.8 5.2-3.8 5.2-8.2" />
    </svg>
  );
}
