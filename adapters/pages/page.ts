import type { SafeHtml } from "@remix-run/html-template"
import { Context, type Effect, type Stream } from "effect"
import type { Operations } from "../../application/modules/operations.ts"
import type { Session, User } from "../../client/operations.ts"
import type { AuthError } from "../../domain/errors.ts"
import type { ServerSentEvent } from "../http/event-stream.ts"
import type { Fields } from "../http/form-body.ts"
import type { Key } from "../texts/texts.ts"
import type { Flow } from "./flow.ts"
import type { Picture } from "./picture.ts"
import type { LastUsed } from "./sign-in/last-used.ts"
import type { Entry, Site } from "./site.ts"
import type { View } from "./view.ts"

/** The content of a response: a page, or a redirect to another one (303). */
export type Shown =
  | {
      readonly title: string
      readonly main: SafeHtml
      /** The navigation next to the content. */
      readonly nav?: SafeHtml
      /** The header of the console, in place of the logo. */
      readonly header?: SafeHtml
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly scripts?: ReadonlyArray<Script>
      readonly picture?: Picture | null
      /**
       * The URL to which the browser is redirected at once, also without scripts. With frames it waits until they have had time to load.
       */
      readonly refresh?: string
      /** Pages of clients that the browser loads in hidden frames (OpenID Connect Front-Channel Logout section 3). */
      readonly frames?: ReadonlyArray<string>
    }
  | {
      readonly to: string
      /** Whether the browser deletes its cached pages (`Clear-Site-Data`). */
      readonly forget?: boolean
    }
  /** A text file that the browser saves. */
  | { readonly file: { readonly name: string; readonly text: string } }
  /** Events for a script of the page. */
  | { readonly stream: Stream.Stream<ServerSentEvent> }

/** A file of `scripts/` that a page loads. `waiting`: asks for the page again until `show` returns `{ to }`. */
export type Script = "passkey" | "passkey-register" | "passkey-signals" | "wallet" | "page" | "print" | "countdown" | "waiting" | "console"

/** The name of an operation that pages can call. */
export type Operation = keyof Operations & string
export type Input<N extends Operation> = Operations[N]["input"]
export type Output<N extends Operation> = Operations[N]["output"]

/** The arguments for an input, which may be left out if none of its members is required. */
/** What is sent to an operation; nothing is needed where all of its input is optional. */
export type Sent<I> = Partial<I> extends I ? [input?: I] : [input: I]

/** One page with its form. Its state is what it reads from the visit; it has no rule of its own. */
export interface Page extends Entry {
  /** The names of the endpoints without which the page is not served. */
  readonly needs: ReadonlyArray<string>
  /** Further operations that it calls if the service has them. A call of an operation that the page has not declared is a defect. */
  readonly uses?: ReadonlyArray<Operation>
  /** Whether visitors without a session are sent to the sign-in page first. */
  readonly access: "public" | "session"
  /** Whether the page has room for lists; by default, pages that need a session have. */
  readonly wide?: boolean
  /** Whether it is a page of the console, with texts, styles and a script of its own. */
  readonly isConsole?: true
  /** Whether a sign-in that another page began can end here. */
  readonly isReturn?: boolean
  /** The keys of texts that replace the usual ones of errors on this page, by error code. */
  readonly problems?: Readonly<Partial<Record<string, string>>>
  readonly show: Effect.Effect<Shown, AuthError, Visit>
  /**
   * Handles the form by the value of its pressed button (`action`). A refusal shows the page again with `view.problem`, and with the values
   * that were entered.
   */
  readonly actions?: Readonly<Record<string, Effect.Effect<Shown, AuthError, Visit>>>
}

interface Following {
  /** The id of the last event that the visitor has. */
  readonly after?: string
}

/** An open stream of events. */
export interface Followed extends Following {
  /** The next event; undefined when the service stops. Fails with the reason for which the stream ended. */
  readonly next: Effect.Effect<FollowedEvent | undefined, AuthError>
}
export interface FollowedEvent {
  readonly id?: string
  readonly value: unknown
  /** The value in JSON. Most events are counted only, so each one is encoded when it is shown. */
  readonly encoded: () => unknown
}

/** One request to a page. */
export class Visit extends Context.Service<
  Visit,
  {
    readonly view: View
    readonly query: URLSearchParams
    /** The fields of a form; empty for GET. */
    readonly form: Fields
    readonly site: Site
    /** Whether the service has an endpoint of this name. */
    readonly has: (operation: Operation) => boolean
    /** Calls an operation by its name, under the session that earlier calls of this visit set. */
    readonly call: <N extends Operation>(operation: N, ...input: Sent<Input<N>>) => Effect.Effect<Output<N>, AuthError>
    /** Says why the visitor acts: further calls give this reason to operations that take one. */
    readonly because: (reason: string) => void
    /** Opens a stream of events for the visitor, until the response ends. */
    readonly open: (stream: string, input: Following) => Effect.Effect<Followed, AuthError>
    /** The visitor's session; only of pages with `access: "session"`. */
    readonly session: { readonly session: Session; readonly user: User } | null
    /** Whether this browser has the keyboard shortcuts of the console. */
    readonly keys: boolean
    /** Switches these shortcuts on or off in this browser. */
    readonly setKeys: (on: boolean) => void
    /** The way in which this browser signed in last, as it says; null without one. */
    readonly lastUsed: Effect.Effect<LastUsed | null>
    /** Remembers in this browser how it signed in. */
    readonly setLastUsed: (lastUsed: LastUsed) => void
    readonly flow: () => Flow
    /** Changes the flow; a member that is undefined is removed. */
    readonly setFlow: (change: { readonly [Member in keyof Flow]?: Flow[Member] | undefined }) => void
  }
>()("sallyport/Visit") {}

/** A page of the service, which has only its texts and operations. */
interface ServicePage extends Page {
  readonly needs: ReadonlyArray<Operation>
  readonly problems?: Readonly<Partial<Record<string, Key>>>
}

/** Declares a page of the service. */
export const page = (declared: ServicePage): Page => declared

/** JSON for a script of a page. The script sends a POST with the token of the page's forms. */
export interface Resource {
  /** Below `pages.path`. */
  readonly path: string
  /** The names of the endpoints without which the resource is not served. */
  readonly needs: ReadonlyArray<Operation>
  /** Whether visitors without a session are refused. */
  readonly access: Page["access"]
  readonly answer: Effect.Effect<unknown, AuthError, Visit>
}

/** The text of a form field; empty if it is missing. Of a repeated field, the last one counts. */
export const field = (form: Fields, name: string): string => {
  const value = form[name]
  return (typeof value === "string" ? value : value?.at(-1)) ?? ""
}
