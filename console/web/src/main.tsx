import { render } from 'preact'
import { Console } from './console.tsx'
import './styles/base.css'
import './styles/shell.css'
import './styles/inbox.css'
import './styles/session.css'

render(<Console />, document.getElementById('console')!)
