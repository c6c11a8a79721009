import adminAnalytics from './admin/adminAnalytics.liquid' with { type: 'text' }
import adminData from './admin/adminData.liquid' with { type: 'text' }
import adminForm from './admin/adminForm.liquid' with { type: 'text' }
import adminImport from './admin/adminImport.liquid' with { type: 'text' }
import adminLayout from './admin/adminLayout.liquid' with { type: 'text' }
import adminList from './admin/adminList.liquid' with { type: 'text' }
import adminSecret from './admin/adminSecret.liquid' with { type: 'text' }
import adminStart from './admin/adminStart.liquid' with { type: 'text' }
import proportion from './admin/proportion.liquid' with { type: 'text' }
import table from './admin/table.liquid' with { type: 'text' }
import admin from './admin/style/admin.css' with { type: 'text' }

/** The templates of the pages for administrators. */
export const ADMIN_TEMPLATES = {
  adminAnalytics,
  adminData,
  adminForm,
  adminImport,
  adminLayout,
  adminList,
  adminSecret,
  adminStart,
  proportion,
  table,
}

/** The style sheet of these pages, in addition to those of all pages and of the pages for accounts. */
export const ADMIN_STYLE = admin
