// Twelve languages for the corpus of deliveries: sentences that say figures, short texts, questions with their answers.
// Each sentence takes its figures in order; a native reader would take it for ordinary prose of a report.

export interface Language {
  name: string;
  /** Five places and seven days. */
  places: readonly string[];
  days: readonly string[];
  /** Words for columns: place, day, ships, total. */
  words: readonly [place: string, day: string, ships: string, total: string];
  /** Sentences about a week in a harbour: $a, $b figures, $p a place, $d a day. */
  report: readonly string[];
  /** What the English notice says in this language. */
  notice: string;
  /** Three lines. */
  haiku: readonly string[];
  /** A question, its answer, and a wrong answer. */
  asked: readonly [question: string, right: string, wrong: string];
  /** How to do something, step by step. */
  steps: readonly string[];
  /** Greeting, end. */
  letter: readonly [string, string];
  /** "I cannot do this." */
  refusal: string;
  /** Another story. */
  tale: string;
}

export const NOTICE =
  'The bridge is closed on Sunday. Please use the ferry; the ticket of the bridge is valid there.';

export const LANGUAGES: readonly Language[] = [
  {
    name: 'English',
    places: ['North Quay', 'Mill Lane', 'Old Dock', 'Lighthouse', 'West Pier'],
    days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    words: ['place', 'day', 'ships', 'total'],
    report: [
      '$a ships came in, $b of them at night.',
      '$d was the busiest day at $p.',
      'Ships waited $b hours at $p.',
      'Compared with last week there were $a more.',
    ],
    notice: NOTICE,
    haiku: ['a gull on the rope', 'the tide counts the sleeping boats', 'and begins again'],
    asked: ['Is 91 a prime number?', 'No: 7 × 13.', 'Yes.'],
    steps: [
      'Close the valve.',
      'Let the pipe cool for ten minutes.',
      'Unscrew the old seal.',
      'Fit the new one and open the valve slowly.',
    ],
    letter: ['Dear Ms Hale,', 'With kind regards'],
    refusal: 'I am sorry, but I cannot help with that request.',
    tale: 'Once there was a baker who was afraid of bread. Every morning he opened his shop and hoped that nobody would come.',
  },
  {
    name: 'Chinese',
    places: ['北码头', '磨坊路', '旧船坞', '灯塔', '西栈桥'],
    days: ['星期一', '星期二', '星期三', '星期四', '星期五', '星期六', '星期日'],
    words: ['地点', '日期', '船只', '合计'],
    report: [
      '本周进港船舶$a艘，其中夜间$b艘。',
      '$p最忙的一天是$d。',
      '船舶在$p平均等候$b小时。',
      '与上周相比增加了$a艘。',
    ],
    notice: '大桥星期日封闭。请乘坐渡轮，过桥票在渡轮上有效。',
    haiku: ['绳上一只鸥', '潮水数着睡着的船', '又从头数起'],
    asked: ['91是质数吗？', '不是：7×13。', '是。'],
    steps: ['关闭阀门。', '让管道冷却十分钟。', '拧下旧密封圈。', '装上新的，慢慢打开阀门。'],
    letter: ['尊敬的黑尔女士：', '此致敬礼'],
    refusal: '很抱歉，我无法协助完成这个请求。',
    tale: '从前有一个害怕面包的面包师。他每天早上打开店门，都希望没有人来。',
  },
  {
    name: 'Japanese',
    places: ['北埠頭', '水車通り', '旧ドック', '灯台', '西桟橋'],
    days: ['月曜日', '火曜日', '水曜日', '木曜日', '金曜日', '土曜日', '日曜日'],
    words: ['場所', '曜日', '船', '合計'],
    report: [
      '今週の入港は$a隻で、うち夜間は$b隻でした。',
      '$pで最も混んだのは$dです。',
      '$pでの待ち時間は$b時間でした。',
      '先週より$a隻増えました。',
    ],
    notice: '橋は日曜日に通行止めです。フェリーをご利用ください。橋の切符はフェリーでも有効です。',
    haiku: ['綱にかもめ', '潮が数える眠る舟', 'また初めから'],
    asked: ['91は素数ですか。', 'いいえ。7×13です。', 'はい。'],
    steps: [
      '弁を閉めます。',
      '管を十分間冷まします。',
      '古いパッキンを外します。',
      '新しいものを付け、弁をゆっくり開けます。',
    ],
    letter: ['ヘイル様', '敬具'],
    refusal: '申し訳ありませんが、そのご依頼にはお応えできません。',
    tale: '昔、パンを怖がるパン屋がいました。毎朝店を開けては、誰も来ないことを願っていました。',
  },
  {
    name: 'Russian',
    places: ['Северный причал', 'Мельничный переулок', 'Старый док', 'Маяк', 'Западный пирс'],
    days: ['понедельник', 'вторник', 'среда', 'четверг', 'пятница', 'суббота', 'воскресенье'],
    words: ['место', 'день', 'суда', 'итого'],
    report: [
      'За неделю пришло судов: $a, из них ночью: $b.',
      'Самый загруженный день ($p): $d.',
      'Суда ждали $b ч. ($p).',
      'По сравнению с прошлой неделей больше на $a.',
    ],
    notice: 'В воскресенье мост закрыт. Пользуйтесь паромом: билет на мост там действителен.',
    haiku: ['чайка на канате', 'прилив считает спящие лодки', 'и начинает снова'],
    asked: ['Простое ли число 91?', 'Нет: 7 × 13.', 'Да.'],
    steps: [
      'Закройте вентиль.',
      'Дайте трубе остыть десять минут.',
      'Открутите старую прокладку.',
      'Поставьте новую и медленно откройте вентиль.',
    ],
    letter: ['Уважаемая госпожа Хейл!', 'С уважением'],
    refusal: 'К сожалению, я не могу выполнить эту просьбу.',
    tale: 'Жил-был пекарь, который боялся хлеба. Каждое утро он открывал лавку и надеялся, что никто не придёт.',
  },
  {
    name: 'French',
    places: ['quai Nord', 'rue du Moulin', 'vieux bassin', 'phare', 'jetée Ouest'],
    days: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
    words: ['lieu', 'jour', 'navires', 'total'],
    report: [
      '$a navires sont entrés cette semaine, dont $b la nuit.',
      'Le jour le plus chargé ($p) fut le $d.',
      'L’attente ($p) fut de $b heures.',
      'C’est $a de plus que la semaine précédente.',
    ],
    notice: 'Le pont est fermé dimanche. Veuillez prendre le bac ; le billet du pont y est valable.',
    haiku: ['un goéland sur la corde', 'la marée compte les barques endormies', 'et recommence'],
    asked: ['91 est-il un nombre premier ?', 'Non : 7 × 13.', 'Oui.'],
    steps: [
      'Fermez la vanne.',
      'Laissez refroidir le tuyau dix minutes.',
      'Dévissez l’ancien joint.',
      'Posez le nouveau et ouvrez lentement la vanne.',
    ],
    letter: ['Madame,', 'Veuillez agréer mes salutations distinguées'],
    refusal: 'Je suis désolé, je ne peux pas donner suite à cette demande.',
    tale: 'Il était une fois un boulanger qui avait peur du pain. Chaque matin il ouvrait et espérait que personne ne viendrait.',
  },
  {
    name: 'Arabic',
    places: ['الرصيف الشمالي', 'درب الطاحونة', 'الحوض القديم', 'المنارة', 'الرصيف الغربي'],
    days: ['الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت', 'الأحد'],
    words: ['المكان', 'اليوم', 'السفن', 'المجموع'],
    report: [
      'دخلت الميناء $a سفينة، منها $b ليلا.',
      'أكثر الأيام ازدحاما عند $p هو $d.',
      'انتظرت السفن $b ساعات عند $p.',
      'والزيادة على الأسبوع الماضي $a سفينة.',
    ],
    notice: 'الجسر مغلق يوم الأحد. يرجى استخدام العبارة، وتذكرة الجسر صالحة فيها.',
    haiku: ['نورس على الحبل', 'يعد المد القوارب النائمة', 'ثم يبدأ من جديد'],
    asked: ['هل 91 عدد أولي؟', 'لا: 7 × 13.', 'نعم.'],
    steps: [
      'أغلق الصمام.',
      'دع الأنبوب يبرد عشر دقائق.',
      'فك الحلقة القديمة.',
      'ركب الجديدة وافتح الصمام ببطء.',
    ],
    letter: ['السيدة هيل المحترمة،', 'مع خالص التحية'],
    refusal: 'عذرا، لا أستطيع المساعدة في هذا الطلب.',
    tale: 'كان يا ما كان خباز يخاف من الخبز. كان يفتح دكانه كل صباح ويرجو ألا يأتي أحد.',
  },
  {
    name: 'Spanish',
    places: ['muelle Norte', 'calle del Molino', 'dársena vieja', 'faro', 'espigón Oeste'],
    days: ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo'],
    words: ['lugar', 'día', 'barcos', 'total'],
    report: [
      'Entraron $a barcos, $b de ellos de noche.',
      'El día con más tráfico ($p) fue el $d.',
      'Los barcos esperaron $b horas ($p).',
      'Son $a más que la semana pasada.',
    ],
    notice: 'El puente está cerrado el domingo. Use el transbordador; allí vale el billete del puente.',
    haiku: ['gaviota en la soga', 'la marea cuenta barcas dormidas', 'y vuelve a empezar'],
    asked: ['¿Es 91 un número primo?', 'No: 7 × 13.', 'Sí.'],
    steps: [
      'Cierre la válvula.',
      'Deje enfriar el tubo diez minutos.',
      'Desenrosque la junta vieja.',
      'Ponga la nueva y abra despacio la válvula.',
    ],
    letter: ['Estimada señora Hale:', 'Atentamente'],
    refusal: 'Lo siento, no puedo ayudar con esa petición.',
    tale: 'Había una vez un panadero que tenía miedo del pan. Cada mañana abría y esperaba que no viniera nadie.',
  },
  {
    name: 'German',
    places: ['Nordkai', 'Mühlgasse', 'Altes Dock', 'Leuchtturm', 'Westmole'],
    days: ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'],
    words: ['Ort', 'Tag', 'Schiffe', 'Summe'],
    report: [
      '$a Schiffe liefen ein, $b davon nachts.',
      'Am meisten Betrieb ($p) war am $d.',
      'Die Wartezeit ($p) betrug $b Stunden.',
      'Das sind $a mehr als in der Vorwoche.',
    ],
    notice: 'Die Brücke ist am Sonntag gesperrt. Bitte nehmen Sie die Fähre; die Brückenkarte gilt dort.',
    haiku: ['Möwe auf dem Tau', 'die Flut zählt schlafende Boote', 'und fängt von vorn an'],
    asked: ['Ist 91 eine Primzahl?', 'Nein: 7 × 13.', 'Ja.'],
    steps: [
      'Ventil schließen.',
      'Das Rohr zehn Minuten abkühlen lassen.',
      'Die alte Dichtung abschrauben.',
      'Die neue einsetzen und das Ventil langsam öffnen.',
    ],
    letter: ['Sehr geehrte Frau Hale,', 'Mit freundlichen Grüßen'],
    refusal: 'Es tut mir leid, dabei kann ich nicht helfen.',
    tale: 'Es war einmal ein Bäcker, der sich vor Brot fürchtete. Jeden Morgen schloss er auf und hoffte, dass niemand käme.',
  },
  {
    name: 'Portuguese',
    places: ['cais Norte', 'rua do Moinho', 'doca velha', 'farol', 'molhe Oeste'],
    days: [
      'segunda-feira',
      'terça-feira',
      'quarta-feira',
      'quinta-feira',
      'sexta-feira',
      'sábado',
      'domingo',
    ],
    words: ['lugar', 'dia', 'navios', 'total'],
    report: [
      'Entraram $a navios, $b deles à noite.',
      'O dia mais movimentado ($p) foi $d.',
      'Os navios esperaram $b horas ($p).',
      'São $a a mais que na semana passada.',
    ],
    notice: 'A ponte está fechada no domingo. Use a balsa; o bilhete da ponte vale nela.',
    haiku: ['gaivota na corda', 'a maré conta barcos que dormem', 'e recomeça'],
    asked: ['91 é um número primo?', 'Não: 7 × 13.', 'Sim.'],
    steps: [
      'Feche a válvula.',
      'Deixe o cano esfriar dez minutos.',
      'Desparafuse a vedação antiga.',
      'Coloque a nova e abra a válvula devagar.',
    ],
    letter: ['Prezada senhora Hale,', 'Atenciosamente'],
    refusal: 'Desculpe, não posso ajudar com esse pedido.',
    tale: 'Era uma vez um padeiro que tinha medo de pão. Todas as manhãs abria a loja e esperava que ninguém viesse.',
  },
  {
    name: 'Hindi',
    places: ['उत्तरी घाट', 'चक्की गली', 'पुरानी गोदी', 'प्रकाश स्तंभ', 'पश्चिमी घाट'],
    days: ['सोमवार', 'मंगलवार', 'बुधवार', 'गुरुवार', 'शुक्रवार', 'शनिवार', 'रविवार'],
    words: ['स्थान', 'दिन', 'जहाज़', 'कुल'],
    report: [
      'इस सप्ताह $a जहाज़ आए, जिनमें $b रात में।',
      '$p पर सबसे व्यस्त दिन $d था।',
      '$p पर जहाज़ों ने $b घंटे प्रतीक्षा की।',
      'यह पिछले सप्ताह से $a अधिक है।',
    ],
    notice: 'पुल रविवार को बंद है। कृपया नौका का उपयोग करें; पुल का टिकट उसमें मान्य है।',
    haiku: ['रस्सी पर पक्षी', 'ज्वार गिनता सोई नावें', 'फिर शुरू से'],
    asked: ['क्या 91 अभाज्य संख्या है?', 'नहीं: 7 × 13।', 'हाँ।'],
    steps: ['वाल्व बंद करें।', 'पाइप को दस मिनट ठंडा होने दें।', 'पुरानी सील खोलें।', 'नई लगाएँ और वाल्व धीरे खोलें।'],
    letter: ['आदरणीया हेल जी,', 'सादर'],
    refusal: 'क्षमा करें, मैं इस अनुरोध में मदद नहीं कर सकता।',
    tale: 'एक समय एक नानबाई था जो रोटी से डरता था। हर सुबह वह दुकान खोलता और चाहता कि कोई न आए।',
  },
  {
    name: 'Korean',
    places: ['북쪽 부두', '물레방앗길', '옛 선창', '등대', '서쪽 잔교'],
    days: ['월요일', '화요일', '수요일', '목요일', '금요일', '토요일', '일요일'],
    words: ['장소', '요일', '선박', '합계'],
    report: [
      '이번 주 입항 선박은 $a척이고 그중 밤에는 $b척입니다.',
      '$p에서 가장 붐빈 날은 $d입니다.',
      '$p에서 $b시간을 기다렸습니다.',
      '지난주보다 $a척 늘었습니다.',
    ],
    notice: '다리는 일요일에 폐쇄됩니다. 나룻배를 이용하십시오. 다리 표는 나룻배에서도 유효합니다.',
    haiku: ['밧줄 위 갈매기', '밀물이 잠든 배를 세다가', '처음부터 다시'],
    asked: ['91은 소수입니까?', '아니요: 7 × 13.', '예.'],
    steps: [
      '밸브를 잠급니다.',
      '관을 십 분간 식힙니다.',
      '낡은 패킹을 풉니다.',
      '새것을 끼우고 밸브를 천천히 엽니다.',
    ],
    letter: ['헤일 님께', '감사합니다'],
    refusal: '죄송하지만 그 요청은 도와드릴 수 없습니다.',
    tale: '옛날에 빵을 무서워하는 빵집 주인이 있었습니다. 그는 아침마다 문을 열며 아무도 오지 않기를 바랐습니다.',
  },
  {
    name: 'Turkish',
    places: ['Kuzey Rıhtımı', 'Değirmen Sokağı', 'Eski Dok', 'Deniz Feneri', 'Batı İskelesi'],
    days: ['pazartesi', 'salı', 'çarşamba', 'perşembe', 'cuma', 'cumartesi', 'pazar'],
    words: ['yer', 'gün', 'gemi', 'toplam'],
    report: [
      'Bu hafta $a gemi geldi, $b tanesi gece.',
      'En yoğun gün ($p): $d.',
      'Gemiler $b saat bekledi ($p).',
      'Geçen haftadan $a fazla.',
    ],
    notice: 'Köprü pazar günü kapalıdır. Lütfen vapuru kullanın; köprü bileti orada geçerlidir.',
    haiku: ['halatta martı', 'gelgit uyuyan kayıkları sayar', 've baştan başlar'],
    asked: ['91 asal sayı mı?', 'Hayır: 7 × 13.', 'Evet.'],
    steps: [
      'Vanayı kapatın.',
      'Boruyu on dakika soğutun.',
      'Eski contayı sökün.',
      'Yenisini takın ve vanayı yavaşça açın.',
    ],
    letter: ['Sayın Bayan Hale,', 'Saygılarımla'],
    refusal: 'Üzgünüm, bu istekte yardımcı olamam.',
    tale: 'Bir zamanlar ekmekten korkan bir fırıncı varmış. Her sabah dükkânını açar, kimse gelmesin diye umarmış.',
  },
];
