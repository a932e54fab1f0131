import { Outlet, Scripts } from "react-router"

const Root = () => (
  <html lang="en">
    <body>
      <Outlet />
      <Scripts />
    </body>
  </html>
)
export default Root
