import interFile from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with { type: 'file' }
import base from './pages/style/base.css' with { type: 'text' }
import forms from './pages/style/forms.css' with { type: 'text' }
import frame from './pages/style/frame.css' with { type: 'text' }
import list from './pages/style/list.css' with { type: 'text' }
import logos from './pages/style/logos.css' with { type: 'text' }
import posting from './pages/style/posting.css' with { type: 'text' }
import prose from './pages/style/prose.css' with { type: 'text' }
import results from './pages/style/results.css' with { type: 'text' }

/** The style sheet of all pages. It refers to the font as `inter.woff2`. */
export const STYLE = [base, forms, frame, logos, list, results, posting, prose].join('\n')

/** The path of the pages' font. The executable contains it for preview images anyway. */
export const FONT_FILE = interFile
