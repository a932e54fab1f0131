import { fromNodeHandler } from "nitro/h3"
import { nodeHandler } from "sallyport"
import { auth } from "../../../auth"

// Not `auth.fetch(event.req)`: the signal of Nitro 3.0's requests aborts as soon as their body is read.
export default fromNodeHandler(nodeHandler(auth))
