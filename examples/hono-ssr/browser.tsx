import { hydrateRoot } from "react-dom/client"
import { Account } from "./account"

const rendered = JSON.parse(document.getElementById("session")!.textContent)
hydrateRoot(document.getElementById("root")!, <Account rendered={rendered} />)
