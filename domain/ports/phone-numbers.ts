import { Context, type Effect, type Option } from "effect"

/** A telephone number that was written in one of its spellings. */
export interface PhoneNumber {
  /** The spelling that all spellings of a number share: `+` and its digits (ITU-T E.164). */
  readonly e164: string
  /** The same with its digits in groups, as people read it. */
  readonly grouped: string
  /**
   * The country of the number (ISO 3166-1 alpha-2). A number of no single country has its calling code instead (`+800`), and `unknown` if
   * that is not assigned.
   */
  readonly country: string
}

/** Reads telephone numbers. */
export class PhoneNumbers extends Context.Service<
  PhoneNumbers,
  {
    /**
     * None for texts that are not one number with `+` and its calling code, such as numbers with an extension. With a country, also reads
     * numbers as they are dialled in it. Does not check whether the number is assigned.
     */
    read(typed: string, country?: string): Effect.Effect<Option.Option<PhoneNumber>>
  }
>()("sallyport/PhoneNumbers") {}
