import { type Call, type Checker, type Kind, makerOf } from "./calls.ts"
import { accounts } from "./kinds/accounts.ts"
import { browsers } from "./kinds/browsers.ts"
import { factors } from "./kinds/factors.ts"
import { messages } from "./kinds/messages.ts"
import { deliveries, operators } from "./kinds/operators.ts"
import { organizations } from "./kinds/organizations.ts"
import { provider } from "./kinds/provider.ts"

// What clients of a service hold: `fill` makes it over HTTP, so that it works with any release, and `checks` uses it with another one.

/** The provider is filled late and checked early: its codes have a lifetime of a minute. */
const kinds: Readonly<Record<string, Kind<any>>> = { accounts, messages, factors, browsers, organizations, operators, provider, deliveries }

export interface Held {
  /** When it was made, in milliseconds. */
  readonly at: number
  readonly by: Readonly<Record<string, unknown>>
}

export const fill = async (call: Call, sentTo: Parameters<typeof makerOf>[1]): Promise<Held> => {
  const maker = makerOf(call, sentTo)
  const by: Record<string, unknown> = {}
  for (const [name, { fill }] of Object.entries(kinds)) by[name] = await fill(maker)
  return { at: Date.now(), by }
}

/** What another release has to answer 200 or true to. */
export const checks = ({ call, ...rest }: Omit<Checker, "statusOf">, held: Held): Readonly<Record<string, () => Promise<unknown>>> => {
  const statusOf: Checker["statusOf"] = async (...request) => (await call(...request)).status
  return Object.assign(
    {},
    ...Object.entries(kinds)
      .toReversed()
      .map(([name, { checks }]) => checks({ call, statusOf, ...rest }, held.by[name])),
  )
}
