/** Notes in other languages than English, with and without spaces between words. */
import type { Note } from './corpus.ts'

export const FOREIGN_NOTES: readonly Note[] = [
  {
    title: 'Besprechung zur Barrierefreiheit',
    daysOld: 70,
    markdown: `Anwesend: Jürgen, Ayşe, Käthe

Die Schaltflächen sind für Bildschirmleser nicht beschriftet. Käthe prüft die Kontraste aller Farben. Bis Ende des Monats soll jede Seite mit der Tastatur bedienbar sein.

Nächster Termin: Donnerstag um neun.`,
  },
  {
    title: 'Apfelstrudel',
    daysOld: 220,
    markdown: `Für den Teig: 250 g Mehl, Öl, lauwarmes Wasser. Eine Stunde ruhen lassen, dann auf einem Tuch hauchdünn ausziehen.

Füllung: ein Kilo säuerliche Äpfel, Rosinen, Zimt, Zucker, geröstete Brösel. Bei 190 Grad vierzig Minuten backen und mit Vanillesoße servieren.`,
  },
  {
    title: 'Week-end à Lyon',
    daysOld: 180,
    markdown: `Arrivée en train à la gare de la Part-Dieu. Visite du vieux quartier et des traboules, puis montée à la basilique.

Le soir, dîner dans un bouchon : quenelles, salade lyonnaise et une bonne bouteille de beaujolais. Réserver à l'avance, c'est complet le samedi.`,
  },
  {
    title: 'Compte rendu du conseil de classe',
    daysOld: 28,
    markdown: `Les élèves travaillent bien en mathématiques. Les absences restent trop nombreuses le vendredi. Une sortie au musée est prévue en décembre ; les parents doivent signer l'autorisation.`,
  },
  {
    title: 'Tortilla de patatas',
    daysOld: 250,
    markdown: `Ingredientes: seis huevos, cuatro patatas, una cebolla, aceite de oliva y sal.

Freír las patatas a fuego lento, escurrir el aceite, mezclar con los huevos batidos y cuajar por los dos lados. Dejar reposar antes de cortar.`,
  },
  {
    title: 'Plan de mudanza a Sevilla',
    daysOld: 40,
    markdown: `- [ ] Contratar el camión
- [ ] Dar de baja la luz y el gas
- [ ] Cambiar la dirección en el banco
- [ ] Buscar colegio para los niños`,
  },
  {
    title: 'Költözési teendők',
    daysOld: 33,
    markdown: `- [ ] Villanyóra állását leolvasni
- [ ] Internetszerződést átíratni
- [ ] Bútorszállítót megrendelni
- [ ] Új lakcímet bejelenteni

A kulcsokat szombaton délelőtt adjuk át a főbérlőnek.`,
  },
  {
    title: 'Заметки о запуске приложения',
    daysOld: 55,
    markdown: `Запуск назначен на пятнадцатое декабря. Осталось исправить ошибки при оплате и перевести справку.

Реклама начинается за неделю до запуска. Поддержка отвечает на письма в течение суток.`,
  },
  {
    title: '周会记录',
    daysOld: 12,
    markdown: `参加人员：王芳、李明、张伟

- 新版本下周二发布，测试还剩三个问题。
- 客户反映搜索速度太慢，李明负责优化数据库索引。
- 年底前完成办公室搬迁预算。`,
  },
  {
    title: '番茄炒鸡蛋',
    daysOld: 200,
    markdown: `材料：鸡蛋三个，番茄两个，葱，盐，糖。

先炒鸡蛋，盛出备用。再炒番茄，加一点糖，最后把鸡蛋倒回锅里翻炒均匀。`,
  },
  {
    title: '京都旅行メモ',
    daysOld: 210,
    markdown: `紅葉の季節に三泊四日で京都へ行った。朝早く清水寺を訪れ、午後は嵐山を散歩した。

宿は駅から徒歩十分の旅館。夕食の湯豆腐がおいしかった。次回は自転車を借りたい。`,
  },
  {
    title: 'データベース障害報告',
    daysOld: 48,
    markdown: `十月三日の夜、データベースの接続数が上限に達し、四十分間ログインできなくなった。

原因は古い接続が閉じられていなかったこと。再発防止として監視を追加した。`,
  },
  {
    title: 'สูตรต้มยำกุ้ง',
    daysOld: 230,
    markdown: `ส่วนผสม: กุ้ง ตะไคร้ ใบมะกรูด ข่า พริก มะนาว และน้ำปลา

ต้มน้ำซุปกับตะไคร้และข่า ใส่กุ้ง แล้วปรุงรสด้วยมะนาวกับน้ำปลา`,
  },
]
