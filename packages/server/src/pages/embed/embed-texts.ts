/** What a page says before its scripts run, or when they cannot. */
export interface ShellTexts {
  readonly loading: string
  /** It takes long. */
  readonly slow: string
  readonly failed: string
  readonly reload: string
  readonly noScript: string
}

const english: ShellTexts = {
  loading: 'Loading',
  slow: 'This is taking longer than usual. If it does not continue, reload the page.',
  failed: 'The page could not be loaded completely. Check the connection and reload it.',
  reload: 'Reload',
  noScript: 'This page needs JavaScript. Allow it in the browser and reload the page.',
}

/** By locale; the same twelve that the pages themselves speak (contract/behaviour/embed.md section 7). */
const texts: Readonly<Record<string, ShellTexts>> = {
  'en-US': english,
  'de-DE': {
    loading: 'Wird geladen',
    slow: 'Das dauert länger als sonst. Geht es nicht weiter, laden Sie die Seite neu.',
    failed: 'Die Seite konnte nicht vollständig geladen werden. Prüfen Sie die Verbindung und laden Sie sie neu.',
    reload: 'Neu laden',
    noScript: 'Diese Seite braucht JavaScript. Erlauben Sie es im Browser und laden Sie die Seite neu.',
  },
  'es-ES': {
    loading: 'Cargando',
    slow: 'Está tardando más de lo normal. Si no continúa, recargue la página.',
    failed: 'La página no se ha podido cargar por completo. Compruebe la conexión y recárguela.',
    reload: 'Recargar',
    noScript: 'Esta página necesita JavaScript. Actívelo en el navegador y recargue la página.',
  },
  'es-MX': {
    loading: 'Cargando',
    slow: 'Está tardando más de lo normal. Si no continúa, vuelva a cargar la página.',
    failed: 'No se pudo cargar la página por completo. Revise la conexión y vuelva a cargarla.',
    reload: 'Volver a cargar',
    noScript: 'Esta página necesita JavaScript. Actívelo en el navegador y vuelva a cargar la página.',
  },
  'fr-FR': {
    loading: 'Chargement',
    slow: 'Cela prend plus de temps que d’habitude. Si rien ne se passe, rechargez la page.',
    failed: 'La page n’a pas pu être chargée entièrement. Vérifiez la connexion et rechargez-la.',
    reload: 'Recharger',
    noScript: 'Cette page a besoin de JavaScript. Autorisez-le dans le navigateur et rechargez la page.',
  },
  'it-IT': {
    loading: 'Caricamento',
    slow: 'L’operazione richiede più tempo del solito. Se non prosegue, ricarica la pagina.',
    failed: 'Non è stato possibile caricare la pagina per intero. Controlla la connessione e ricaricala.',
    reload: 'Ricarica',
    noScript: 'Questa pagina richiede JavaScript. Consentilo nel browser e ricarica la pagina.',
  },
  'ja-JP': {
    loading: '読み込み中',
    slow: '通常より時間がかかっています。続かない場合はページを再読み込みしてください。',
    failed: 'ページを完全に読み込めませんでした。接続を確認して再読み込みしてください。',
    reload: '再読み込み',
    noScript: 'このページには JavaScript が必要です。ブラウザーで許可して再読み込みしてください。',
  },
  'nb-NO': {
    loading: 'Laster inn',
    slow: 'Dette tar lengre tid enn vanlig. Last siden på nytt hvis den ikke fortsetter.',
    failed: 'Siden kunne ikke lastes helt inn. Sjekk forbindelsen og last den på nytt.',
    reload: 'Last på nytt',
    noScript: 'Denne siden trenger JavaScript. Tillat det i nettleseren og last siden på nytt.',
  },
  'pt-BR': {
    loading: 'Carregando',
    slow: 'Está demorando mais que o normal. Se não continuar, recarregue a página.',
    failed: 'Não foi possível carregar a página por completo. Verifique a conexão e recarregue.',
    reload: 'Recarregar',
    noScript: 'Esta página precisa de JavaScript. Permita-o no navegador e recarregue a página.',
  },
  'pt-PT': {
    loading: 'A carregar',
    slow: 'Está a demorar mais do que o habitual. Se não continuar, recarregue a página.',
    failed: 'Não foi possível carregar a página por completo. Verifique a ligação e recarregue.',
    reload: 'Recarregar',
    noScript: 'Esta página precisa de JavaScript. Permita-o no navegador e recarregue a página.',
  },
  'sv-SE': {
    loading: 'Läser in',
    slow: 'Det tar längre tid än vanligt. Ladda om sidan om den inte fortsätter.',
    failed: 'Sidan kunde inte läsas in helt. Kontrollera anslutningen och ladda om den.',
    reload: 'Ladda om',
    noScript: 'Den här sidan behöver JavaScript. Tillåt det i webbläsaren och ladda om sidan.',
  },
  'vi-VN': {
    loading: 'Đang tải',
    slow: 'Trang tải lâu hơn bình thường. Nếu không tiếp tục, hãy tải lại trang.',
    failed: 'Không thể tải trang đầy đủ. Hãy kiểm tra kết nối và tải lại.',
    reload: 'Tải lại',
    noScript: 'Trang này cần JavaScript. Hãy cho phép trong trình duyệt và tải lại trang.',
  },
}

/**
 * The first wish that can be met: the locale itself, else the first one of its language.
 *
 * @param wishes BCP 47 tags, most wanted first; what is none is passed over.
 */
export function shellTexts(wishes: readonly (string | null | undefined)[]): { locale: string; texts: ShellTexts } {
  const shipped = Object.keys(texts)
  for (const wish of wishes) {
    const wanted = wish?.trim().toLowerCase()
    if (!wanted) continue
    const [language] = wanted.split(/[-_]/)
    const locale =
      shipped.find(name => name.toLowerCase() === wanted) ?? shipped.find(name => name.startsWith(`${language}-`))
    const found = locale && texts[locale]
    if (found) return { locale, texts: found }
  }
  return { locale: 'en-US', texts: english }
}
