import type { SafeHtml } from "@remix-run/html-template"
import type { ConsoleView } from "../../../../adapters/pages/console/screen.ts"
import type { Script } from "../../../../adapters/pages/page.ts"
import type { View } from "../../../../adapters/pages/view.ts"
import type { Key } from "../../../../adapters/texts/texts.ts"
import type { Permission } from "../../../../domain/administration/permissions.ts"

/** One state of a page, as a visitor sees it. */
export interface PageState {
  /** The path of the page. */
  readonly page: string
  readonly name: string
  readonly title: (view: ConsoleView) => string
  readonly main: (view: ConsoleView) => SafeHtml
  /** The refusal that it shows: the key of its text, and the field with the fault. */
  readonly problem?: { readonly code: string; readonly field: string | null }
  /** The key of a text that is shown once. */
  readonly notice?: string
  /** Whether the page has lists, which need more room than a form. */
  readonly wide?: boolean
  /** The scripts that the page loads. */
  readonly scripts?: ReadonlyArray<Script>
  /** The account that an administrator sees. */
  readonly impersonated?: NonNullable<View["impersonated"]>
  /** The navigation between the sections of the account. */
  readonly nav?: (view: ConsoleView) => SafeHtml
  /** The header of the console. */
  readonly header?: (view: ConsoleView) => SafeHtml
  /** Whether the browser has the keyboard shortcuts of the console; by default it has. */
  readonly hasKeys?: boolean
  /** What the administrator lacks; by default nothing. */
  readonly lacks?: ReadonlyArray<Permission>
}

/** What a page shows once above its content: a refusal with the key of its text and its field, or the key of a notice. */
export type Message = readonly [code: string, field: string | null] | Key

/** The members of a state with this message. */
export const shownOnce = (message: Message | undefined): Pick<PageState, "problem" | "notice"> => {
  if (message === undefined) return {}
  if (typeof message === "string") return { notice: message }
  const [code, field] = message
  return { problem: { code, field } }
}

/** The same states, on a page that loads these scripts. */
export const withScripts = (scripts: ReadonlyArray<Script>, states: ReadonlyArray<PageState>) =>
  states.map((state): PageState => ({ ...state, scripts }))
