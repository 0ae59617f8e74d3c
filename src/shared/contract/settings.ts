// What a person has set for the application: one shape, checked by the same schema in the file, on the wire and in the window.
// Never holds a key: a provider only says where its key is.

import { z } from "zod";

import { rulePresets } from "./policy.ts";

const name = z.string().trim().min(1).max(200);
const positive = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const maybePositive = positive.nullable();

/** Names a provider within the settings: lower-case letters, digits and dashes. */
const providerId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "is not a name such as `local` or `openai-2`");

/** Of a built-in role, or of one that files of repositories bring. */
const roleName = z.string().min(1).max(60);

/** Where the key of a provider is. `environment`: in that variable of the process. `keychain`: in the system's, under the provider's id. */
const keyPlace = z.discriminatedUnion("from", [
  z.strictObject({ from: z.literal("none") }),
  z.strictObject({
    from: z.literal("environment"),
    name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, "is not the name of an environment variable"),
  }),
  z.strictObject({ from: z.literal("keychain") }),
]);

/** Micros (millionths of a US dollar) a million tokens; `null`: as in Coppice's own table, if it is there. */
const price = z.strictObject({
  input: z.int().min(0).max(1_000_000_000_000),
  output: z.int().min(0).max(1_000_000_000_000),
});

const model = z.strictObject({ name, price: price.nullable(), contextTokens: maybePositive });

const provider = z.strictObject({
  id: providerId,
  name,
  baseUrl: z.string().trim().min(1).max(2_000),
  key: keyPlace,
  models: z.array(model).max(200),
});

/** `HH:MM`, 24 hours, of the person's own clock. */
const clockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "is not a time such as 22:00");

/** What new runs begin with. `null` of a balance: no limit. */
const runSettings = z.strictObject({
  approve: z.enum(["each", "final", "auto", "none"]),
  commands: z.enum(["ask", "allow", "deny"]),
  maxConcurrent: positive.max(100),
  maxExecutors: positive.max(100),
  maxSubagents: positive.max(1_000),
  maxChain: positive.max(100),
  leadSteps: positive.max(100_000),
  budget: z.strictObject({
    steps: maybePositive,
    toolCalls: maybePositive,
    inputTokens: maybePositive,
    outputTokens: maybePositive,
    /** Holds where the model's price is known. */
    costMicros: maybePositive,
    wallMs: maybePositive,
  }),
});

export const settingsSchema = z.strictObject({
  version: z.literal(1),
  providers: z
    .array(provider)
    .max(50)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, "two providers have the same id"),
  /** What a new run is offered first. */
  model: z.strictObject({ provider: providerId, name }).nullable(),
  /** By role: the model of its subagents in runs on that provider's server, unless the lead names one. */
  roleModels: z.record(roleName, z.strictObject({ provider: providerId, name })),
  run: runSettings,
  /** What new runs go by, as on the command line. A template is for one kind of task, so none is usual. */
  policy: z.enum(["llm", ...rulePresets.map((preset) => `rules:${preset}` as const)]),
  /** Whether commands of new runs reach the network. */
  sandbox: z.strictObject({ network: z.enum(["on", "off"]) }),
  /** The most that roles from files of a repository may do. */
  roles: z.strictObject({ repositoryCeiling: z.enum(["read", "write", "execute"]) }),
  recovery: z.strictObject({
    /** Whether a window or a server goes on by itself with what a dead process has left, after one unclean end within the hour. Otherwise it is settled and left paused. */
    autoResume: z.boolean(),
  }),
  environment: z.strictObject({
    /** The PATH that commands of agents get; `null`: that of the login shell, or of whatever started Coppice. */
    path: z.string().trim().min(1).max(8_000).nullable(),
  }),
  appearance: z.strictObject({ theme: z.enum(["system", "light", "dark"]), motion: z.enum(["system", "reduced"]) }),
  notifications: z.strictObject({
    needsYou: z.boolean(),
    finished: z.boolean(),
    quietHours: z.strictObject({ from: clockTime, to: clockTime }).nullable(),
  }),
  /** By action: the keys instead of its usual ones, such as `Mod+K`; empty for none. */
  keys: z.record(z.string().min(1).max(80), z.string().max(60)),
  data: z.strictObject({
    /** Finished runs that are not pinned go after so many days when the data is cleaned up; `null`: never. */
    keepDays: positive.max(36_500).nullable(),
  }),
});

export type Settings = z.infer<typeof settingsSchema>;
export type Provider = Settings["providers"][number];
export type ProviderModel = Provider["models"][number];
export type KeyPlace = Provider["key"];

/** Parts that are changed each as a whole. */
export type SettingsChanges = Partial<Omit<Settings, "version">>;
const parts = settingsSchema.shape;
export const settingsChangesSchema: z.ZodType<SettingsChanges> = z.strictObject({
  providers: z.exactOptional(parts.providers),
  model: z.exactOptional(parts.model),
  roleModels: z.exactOptional(parts.roleModels),
  run: z.exactOptional(parts.run),
  policy: z.exactOptional(parts.policy),
  sandbox: z.exactOptional(parts.sandbox),
  roles: z.exactOptional(parts.roles),
  recovery: z.exactOptional(parts.recovery),
  environment: z.exactOptional(parts.environment),
  appearance: z.exactOptional(parts.appearance),
  notifications: z.exactOptional(parts.notifications),
  keys: z.exactOptional(parts.keys),
  data: z.exactOptional(parts.data),
});

/** The `settings` topic: what holds, and what is wrong with the file where it cannot be read. */
export interface SettingsSnapshot {
  /** Grows with every snapshot of this topic. */
  readonly version: number;
  /** Absolute path of the file. */
  readonly file: string;
  readonly settings: Settings;
  /** The file is there and cannot be used: the defaults hold, and nothing is written over it. */
  readonly problem: string | null;
  /** Whether keys can be kept here, and where; without, they come from the environment. */
  readonly keychain: string | null;
  /** Which providers have their key at its place. Never the key. */
  readonly keysFound: readonly string[];
}
