/** All pages. If two match a request, the first one is used. */
import type { Page } from './page-declaration.ts'
import { activityPage } from './pages/activity-page.ts'
import { boardFile, boardPage, boardPicture } from './pages/board-pages.ts'
import {
  addCalendar,
  calendarsPage,
  changeCalendar,
  editCalendarPage,
  newCalendarPage,
  refreshCalendar,
  removeCalendar,
} from './pages/calendar-pages.ts'
import { callsPage } from './pages/calls-page.ts'
import { pasteCells } from './pages/cells-page.ts'
import { changeCollection, deleteCollection, editCollectionPage } from './pages/collection-forms.ts'
import { collectionPage, collectionsPage, embeddedCollectionPage } from './pages/collection-pages.ts'
import { addColumn, changeColumn, columnFormPage, deleteColumn, newColumnPage } from './pages/column-forms.ts'
import {
  addComment,
  changeComment,
  commentFormPage,
  deleteComment,
  editCommentPage,
  resolveComment,
} from './pages/comment-forms.ts'
import { changeCover, coverPage } from './pages/cover-pages.ts'
import { calendarPage, dayPage } from './pages/day-pages.ts'
import { documentBlocksPage } from './pages/document-blocks-page.ts'
import {
  addWhiteboard,
  lockDocument,
  makeCollection,
  makeDocument,
  moveDocument,
  moveDocumentPage,
  newCollectionPage,
  newDocumentPage,
  trashDocument,
} from './pages/document-forms.ts'
import { documentPage } from './pages/document-page.ts'
import { documentPeoplePage } from './pages/document-people-page.ts'
import {
  documentsPage,
  folderPage,
  restoreDocument,
  templatesPage,
  trashPage,
  unsortedPage,
} from './pages/documents-pages.ts'
import { editProposal, editProposalPage } from './pages/edit-proposal-page.ts'
import { emptyTrashNow, emptyTrashPage } from './pages/empty-trash-pages.ts'
import {
  documentActionsPage,
  folderActionsPage,
  makeInnerPage,
  moveFolder,
  nameFolder,
  newInnerPage,
  placePage,
  renameDocument,
  renamePage,
} from './pages/entry-pages.ts'
import { exportFile, exportPage } from './pages/export-pages.ts'
import { findFragment } from './pages/find-page.ts'
import { beginNote } from './pages/first-words-page.ts'
import { changeFolder, deleteFolder, editFolderPage, makeFolder, newFolderPage } from './pages/folder-forms.ts'
import { forMePage, markForMe } from './pages/for-me-page.ts'
import { changeGroup, editGroupPage, makeGroup, newGroupPage, removeGroup } from './pages/group-pages.ts'
import { guestPage } from './pages/guest-page.ts'
import { callPage, comparePage, documentHistoryPage, pastDocumentPage } from './pages/history-pages.ts'
import { homePage, pinDocument } from './pages/home-page.ts'
import { changeIcon, iconPage } from './pages/icon-pages.ts'
import { importPage, importStatusPage, previewImport, startImport, stopImport } from './pages/import-pages.ts'
import { deletePage, movePage, movePageForm } from './pages/inner-page-forms.ts'
import {
  addItem,
  changeItem,
  deleteItem,
  editItemPage,
  endItemClaim,
  newItemPage,
  tickItem,
} from './pages/item-forms.ts'
import { chooseLanguage } from './pages/language-page.ts'
import { changeLink, changeLinkPage, makeLink, newLinkPage } from './pages/link-forms.ts'
import { linksPage } from './pages/link-pages.ts'
import { pauseWebhook, resumeWebhook } from './pages/listening-links.ts'
import { changeMember, editMemberPage, membersPage } from './pages/member-pages.ts'
import { newsPage } from './pages/news-page.ts'
import { nowPage } from './pages/now-pages.ts'
import { offlinePage } from './pages/offline-page.ts'
import { openCommentsPage } from './pages/open-comments-page.ts'
import { acceptPart, rejectPart } from './pages/part-pages.ts'
import { changePassword, passwordPage } from './pages/password-page.ts'
import { changePerson, changePersonPage, invitePage, invitePerson } from './pages/people-pages.ts'
import { printPage } from './pages/print-page.ts'
import {
  addReminder,
  changeReminder,
  completeReminder,
  deleteReminder,
  editReminderPage,
  newReminderPage,
  remindersPage,
} from './pages/reminder-pages.ts'
import { removePerson, revokeLink } from './pages/removal-pages.ts'
import { askFilter, filterPage, hideColumn, saveRules, showColumns } from './pages/rule-pages.ts'
import { linkTargetsPage, searchPage } from './pages/search-pages.ts'
import { changeSelectedItems, deleteSelectedItems, selectedItemsPage } from './pages/selected-items-pages.ts'
import { saveSettings, settingsPage } from './pages/settings-pages.ts'
import { addShared, sharePage } from './pages/share-page.ts'
import { pauseLink, resumeLink, undoHour, undoHourPage } from './pages/stop-pages.ts'
import {
  acceptSuggestions,
  documentSuggestionsPage,
  rejectSuggestions,
  suggestedPage,
  waitingBlocksPage,
  withdrawSuggestions,
} from './pages/suggestion-pages.ts'
import { tagsPage } from './pages/tag-pages.ts'
import { addTask, cancelTask, changeTask, deleteTask, endTaskClaim, taskFormPage } from './pages/task-forms.ts'
import { tasksPage, tickTask } from './pages/task-pages.ts'
import { foldTree } from './pages/tree-pages.ts'
import { undoPage, undoPreviewPage } from './pages/undo-pages.ts'
import {
  activateView,
  addView,
  changeView,
  deleteView,
  newViewPage,
  sortView,
  viewFormPage,
} from './pages/view-forms.ts'
import { approveAll, approveProposal, proposalPage, rejectProposal, waitingPage } from './pages/waiting-pages.ts'

export const pages: readonly Page[] = [
  homePage,
  pinDocument,
  foldTree,
  documentsPage,
  newDocumentPage,
  makeDocument,
  moveDocumentPage,
  moveDocument,
  lockDocument,
  trashDocument,
  addWhiteboard,
  newCollectionPage,
  makeCollection,
  newFolderPage,
  makeFolder,
  editFolderPage,
  changeFolder,
  deleteFolder,
  documentActionsPage,
  folderActionsPage,
  renamePage,
  renameDocument,
  iconPage,
  changeIcon,
  coverPage,
  changeCover,
  newInnerPage,
  makeInnerPage,
  moveFolder,
  nameFolder,
  placePage,
  movePageForm,
  movePage,
  deletePage,
  folderPage,
  unsortedPage,
  templatesPage,
  trashPage,
  restoreDocument,
  emptyTrashPage,
  emptyTrashNow,
  tagsPage,
  importPage,
  previewImport,
  importStatusPage,
  startImport,
  stopImport,
  exportPage,
  exportFile,
  documentPage,
  documentBlocksPage,
  documentSuggestionsPage,
  suggestedPage,
  documentPeoplePage,
  printPage,
  documentHistoryPage,
  pastDocumentPage,
  comparePage,
  forMePage,
  guestPage,
  offlinePage,
  sharePage,
  addShared,
  chooseLanguage,
  markForMe,
  nowPage,
  activityPage,
  newsPage,
  callsPage,
  callPage,
  undoPreviewPage,
  undoPage,
  waitingPage,
  approveAll,
  proposalPage,
  acceptPart,
  rejectPart,
  approveProposal,
  rejectProposal,
  editProposalPage,
  editProposal,
  acceptSuggestions,
  rejectSuggestions,
  waitingBlocksPage,
  withdrawSuggestions,
  tasksPage,
  tickTask,
  addTask,
  taskFormPage,
  changeTask,
  cancelTask,
  endTaskClaim,
  deleteTask,
  remindersPage,
  newReminderPage,
  addReminder,
  editReminderPage,
  changeReminder,
  completeReminder,
  deleteReminder,
  openCommentsPage,
  commentFormPage,
  addComment,
  resolveComment,
  editCommentPage,
  changeComment,
  deleteComment,
  calendarPage,
  dayPage,
  beginNote,
  calendarsPage,
  newCalendarPage,
  addCalendar,
  editCalendarPage,
  changeCalendar,
  removeCalendar,
  refreshCalendar,
  collectionsPage,
  collectionPage,
  embeddedCollectionPage,
  editCollectionPage,
  changeCollection,
  deleteCollection,
  pasteCells,
  selectedItemsPage,
  changeSelectedItems,
  deleteSelectedItems,
  newItemPage,
  addItem,
  editItemPage,
  changeItem,
  tickItem,
  deleteItem,
  endItemClaim,
  newColumnPage,
  columnFormPage,
  addColumn,
  changeColumn,
  deleteColumn,
  sortView,
  filterPage,
  askFilter,
  saveRules,
  hideColumn,
  showColumns,
  newViewPage,
  viewFormPage,
  addView,
  changeView,
  activateView,
  deleteView,
  boardPage,
  boardPicture,
  boardFile,
  searchPage,
  findFragment,
  linkTargetsPage,
  membersPage,
  editMemberPage,
  changeMember,
  newGroupPage,
  makeGroup,
  editGroupPage,
  changeGroup,
  removeGroup,
  linksPage,
  settingsPage,
  saveSettings,
  passwordPage,
  changePassword,
  newLinkPage,
  makeLink,
  changeLinkPage,
  changeLink,
  invitePage,
  invitePerson,
  changePersonPage,
  changePerson,
  revokeLink,
  removePerson,
  pauseLink,
  resumeLink,
  undoHourPage,
  undoHour,
  pauseWebhook,
  resumeWebhook,
]
