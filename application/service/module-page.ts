/**
 * A page that a module adds to those of the service. `sallyport/pages` makes it, and the adapter that shows pages reads it; for other shells it
 * has no meaning.
 */
export interface ModulePage {
  /** Below `pages.path`. */
  readonly path: string
  readonly "~page": true
}
