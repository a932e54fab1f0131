import type { SafeHtml } from "@remix-run/html-template"
import type { Texts } from "../texts/texts.ts"
import type { Branding } from "./theme.ts"

/** A fault of a form. */
export interface Fault {
  /** A sentence in the visitor's language. */
  readonly message: string
  /** The field with the fault; null if it is of the whole form. */
  readonly field: string | null
}

/** Why a form is shown again. */
export interface Problem extends Fault {
  /** Further faults. */
  readonly more?: ReadonlyArray<Fault>
}

/** The fault of a field. */
export const faultOf = ({ problem }: Pick<View, "problem">, name: string): string | undefined =>
  problem === null ? undefined : [problem, ...(problem.more ?? [])].find(({ field }) => field === name)?.message

/** What templates need of a request. */
export interface View {
  readonly texts: Texts
  readonly branding: Branding
  /** The address of a page with these query parameters. */
  readonly href: (page: string, query?: Readonly<Record<string, string>>) => string
  /** The address of a file of the pages, which changes with its content. */
  readonly asset: (name: string) => string
  /** The address of the current page, with its query. */
  readonly here: string
  /** The value that every form repeats (CSRF). */
  readonly token: string
  /** The value that was entered in a field before the form is shown again. */
  readonly entered: (name: string) => string
  readonly problem: Problem | null
  /** A sentence to show once; null without one. */
  readonly notice: string | null
  /** The account that an administrator sees, and until when; null for users themselves. */
  readonly impersonated: { readonly user: string; readonly until: string } | null
  /** The languages that the visitor can choose: tag and own name. */
  readonly languages: ReadonlyArray<{ readonly tag: string; readonly name: string }>
  /** Whether the account stores the language that the visitor chooses. */
  readonly savesLanguage: boolean
  /** Whether the page has lists, which need more room than a form. */
  readonly wide: boolean
}

/** A template: a function of the view and of what it shows. */
export type Template<A> = (view: View, props: A) => SafeHtml
