import button from './desk/button.liquid' with { type: 'text' }
import checks from './desk/checks.liquid' with { type: 'text' }
import confirm from './desk/confirm.liquid' with { type: 'text' }
import dayChart from './desk/dayChart.liquid' with { type: 'text' }
import deskHead from './desk/deskHead.liquid' with { type: 'text' }
import field from './desk/field.liquid' with { type: 'text' }
import forgot from './desk/forgot.liquid' with { type: 'text' }
import formStart from './desk/formStart.liquid' with { type: 'text' }
import jobActions from './desk/jobActions.liquid' with { type: 'text' }
import jobFigures from './desk/jobFigures.liquid' with { type: 'text' }
import jobForm from './desk/jobForm.liquid' with { type: 'text' }
import myJobs from './desk/myJobs.liquid' with { type: 'text' }
import newToken from './desk/newToken.liquid' with { type: 'text' }
import register from './desk/register.liquid' with { type: 'text' }
import script from './desk/script.js' with { type: 'text' }
import sent from './desk/sent.liquid' with { type: 'text' }
import settings from './desk/settings.liquid' with { type: 'text' }
import signIn from './desk/signIn.liquid' with { type: 'text' }
import desk from './desk/style/desk.css' with { type: 'text' }
import forms from './desk/style/forms.css' with { type: 'text' }
import jobs from './desk/style/jobs.css' with { type: 'text' }

/** The templates of the pages for accounts. They extend the layout of the public pages. */
export const DESK_TEMPLATES = {
  button,
  checks,
  confirm,
  dayChart,
  deskHead,
  field,
  forgot,
  formStart,
  jobActions,
  jobFigures,
  jobForm,
  myJobs,
  newToken,
  register,
  sent,
  settings,
  signIn,
}

/** The style sheet of these pages, in addition to that of all pages. */
export const DESK_STYLE = [desk, forms, jobs].join('\n')

export const DESK_SCRIPT = script
