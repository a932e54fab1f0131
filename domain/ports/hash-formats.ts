import { Context, type Option } from "effect"

/** Says which stored password hashes sign-in can verify. */
export class HashFormats extends Context.Service<
  HashFormats,
  {
    /** The name of the hash's format. None if its format is unknown, its key is not configured, or it is too costly to verify. */
    formatOf(hash: string): Option.Option<string>
  }
>()("sallyport/HashFormats") {}
