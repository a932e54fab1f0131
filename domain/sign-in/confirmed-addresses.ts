import { Context } from "effect"

/** The addresses that give their user rights: a user adopts one only by proving the mailbox. `Auth.call` provides it. */
export class ConfirmedAddresses extends Context.Service<
  ConfirmedAddresses,
  {
    readonly includes: (email: string) => boolean
  }
>()("sallyport/ConfirmedAddresses") {}
