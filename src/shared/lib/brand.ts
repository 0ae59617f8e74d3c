// Nominal types over plain strings and numbers. A brand exists at compile time only; nothing is wrapped.

declare const brand: unique symbol;

/** `Brand<string, 'RunId'>` is a string that only code which checked it may call a RunId. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
