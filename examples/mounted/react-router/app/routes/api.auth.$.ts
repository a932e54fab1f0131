import { auth } from "../auth.server"

export const loader = ({ request }: { readonly request: Request }) => auth.fetch(request)
export const action = loader
