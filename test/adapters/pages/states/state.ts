import type { SafeHtml } from "@remix-run/html-template"
import type { Script } from "../../../../adapters/pages/page.ts"
import type { View } from "../../../../adapters/pages/view.ts"

/** One state of a page, as a visitor sees it. */
export interface PageState {
  /** The path of the page. */
  readonly page: string
  readonly name: string
  readonly title: (view: View) => string
  readonly main: (view: View) => SafeHtml
  /** The refusal that it shows: the key of its text, and the field with the fault. */
  readonly problem?: { readonly code: string; readonly field: string | null }
  /** The key of a text that is shown once. */
  readonly notice?: string
  /** Whether the page has lists, which need more room than a form. */
  readonly wide?: boolean
  /** The scripts that the page loads. */
  readonly scripts?: ReadonlyArray<Script>
  /** The navigation between the sections of the account. */
  readonly nav?: (view: View) => SafeHtml
}

/** The same states, on a page that loads these scripts. */
export const withScripts = (scripts: ReadonlyArray<Script>, states: ReadonlyArray<PageState>) =>
  states.map((state): PageState => ({ ...state, scripts }))
