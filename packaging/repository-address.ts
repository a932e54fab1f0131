/** What package.json says of the repository; it names it only in a release (`.github/workflows/release.yml`). */
export interface Published {
  readonly version: string
  readonly files: ReadonlyArray<string>
  readonly repository?: { readonly url: string }
}

/** Where the files of this version are on the web. */
export const filesAddress = ({ version, repository }: Published): string | undefined =>
  repository === undefined ? undefined : `${repository.url.replace(/^git\+/, "").replace(/\.git$/, "")}/blob/v${version}`
