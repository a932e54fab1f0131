import type { SafeHtml } from "@remix-run/html-template"
import { Context, Effect } from "effect"
import type { Permission } from "../../../domain/administration/permissions.ts"
import type { AuthError } from "../../../domain/errors.ts"
import type { Key } from "../../texts/texts.ts"
import { type Input, type Operation, type Page, type Sent, type Shown, Visit } from "../page.ts"
import type { View } from "../view.ts"

/** The view of a page of the console. */
export interface ConsoleView extends View {
  /** The address of a page of the console, by its path below `pages.admin.path`. */
  readonly at: (path: string, query?: Readonly<Record<string, string>>) => string
  /** Whether the visitor has a permission for all users and organizations. Buttons that need another one are not drawn. */
  readonly may: (permission: Permission) => boolean
  /** Whether the visitor may see private attributes after a new proof of their identity. */
  readonly hidesPrivate: boolean
  /** Whether the browser has the keyboard shortcuts. */
  readonly hasKeys: boolean
}

/** A template of the console: a function of the view and of what it shows. */
export type Template<A> = (view: ConsoleView, props: A) => SafeHtml

/** The administrator who visits the console. */
export class Operator extends Context.Service<
  Operator,
  {
    readonly view: ConsoleView
    readonly id: string
    /** The screens that they may see. */
    readonly places: ReadonlyArray<Place>
    /** When the last proof of their identity was given, milliseconds since 1970. */
    readonly proved_at: number
  }
>()("sallyport/console/Operator") {}

/** The groups of the navigation, in its order. */
export const groups = ["people", "applications", "activity", "service", "extensions"] as const
export type Group = (typeof groups)[number]

/** A link of the navigation. */
export interface Place {
  readonly path: string
  readonly label: string
  readonly group: Group | null
  /** The second key of the keyboard shortcut that begins with `g`. */
  readonly key?: string
}

/** The content of a screen; the frame adds the header and the navigation. */
export interface Content extends Pick<Extract<Shown, { readonly main: SafeHtml }>, "status" | "scripts"> {
  readonly title: string
  readonly main: SafeHtml
}
export type Answer = Content | Exclude<Shown, { readonly main: SafeHtml }>

/** A page of the console. */
export interface Screen extends Pick<Page, "uses"> {
  /** Below `pages.admin.path`; `/` is the first page. */
  readonly path: string
  /** Without it, visitors are told which permission they lack; null: any permission is enough. */
  readonly permission: Permission | null
  /** Its link is drawn for visitors with one of these permissions. */
  readonly anyOf?: ReadonlyArray<Permission>
  /** Further permissions that it cannot be shown without. */
  readonly also?: ReadonlyArray<Permission>
  readonly needs: ReadonlyArray<Operation>
  /** Its link in the navigation, or the path of the screen whose link is marked instead. */
  readonly section: (Pick<Place, "group" | "key"> & { readonly label: Key }) | string
  readonly problems?: Readonly<Partial<Record<string, Key>>>
  /** Whether it is served only with `pages.admin.live`. */
  readonly isLive?: true
  readonly show: Effect.Effect<Answer, AuthError, Visit | Operator>
  readonly actions?: Readonly<Record<string, Effect.Effect<Answer, AuthError, Visit | Operator>>>
}

/** The id in the address of this page. */
export const askedId = Effect.map(Visit, ({ query }) => query.get("id") ?? "")

/** Calls an operation, for an action that then shows this text once. */
export const calling = <N extends Operation>(done: Key, operation: N, ...input: Sent<Input<N>>) =>
  Effect.flatMap(Visit, ({ call }) => Effect.as(call(operation, ...input), done))

/** Redirects to another page of the console, which shows this text once. */
export const goTo = Effect.fnUntraced(function* goToScreen(path: string, notice?: Key, query?: Readonly<Record<string, string>>) {
  const { view } = yield* Operator
  const { setFlow } = yield* Visit
  if (notice !== undefined) setFlow({ notice })
  return { to: view.at(path, query) }
})
