/** Lists the words that column names are made of, in the languages of public data, and what each says about its column. */

/** Who or what a user may be: `people` are protected themselves; a card, a device or a vehicle stands for whoever carries or drives it. */
export type UserKind = "person" | "device" | "vehicle" | "sensor";

/** The first kind with a word in the name wins: a driver rather than the bus. */
const USER_WORDS: ReadonlyArray<readonly [UserKind, string]> = [
  [
    "person",
    `user who customer client person passenger driver rider member patient account subscriber cardholder employee worker student
    pupil resident citizen household participant respondent personal uczen hhid nhc subject player viewer reader reviewer rater buyer shopper guest
    visitor donor owner tenant borrower voter author contributor athlete runner mrn npi ssn nhs iban traveller traveler email mail login username hack
    usuario utente utilisateur usager nutzer benutzer gebruiker uzytkownik anvandare bruker bruger kayttaja kullanici pengguna
    cliente kunde klant klient kund asiakas musteri pelanggan pasajero passageiro passager passeggero fahrgast reiziger
    pasazer penumpang conductor condutor motorista conducteur chauffeur conducente fahrer bestuurder kierowca surucu paciente
    paziente pacjent hasta abonne abonado assinante socio dni cedula rut cpf nif curp pesel bsn miembro membro membre mitglied lid czlonek cuenta conta compte konto
    hogar menage haushalt huishouden alumno aluno eleve schuler spieler
    uzytkownika klienta pasazera kierowcy pacjenta
    用户 用户id 客户 乘客 司机 会员 患者 病人 利用者 会員 顧客 乗客 사용자 고객 회원 승객 환자
    пользователь клиент пассажир водитель пациент абонент`,
  ],
  [
    "device",
    `card cc device phone msisdn imei imsi smartcard transponder wallet tarjeta cartao carte karte kaart tessera kart karta
    dispositivo appareil gerat telefono telefone telephone handy movil celular 卡号 卡 设备 手机 カード 端末 카드 карта телефон`,
  ],
  [
    "vehicle",
    `vehicle veh bus cab taxi truck tram train car boat ship vessel mmsi aircraft icao icao24 callsign tail tailnum locomotive plate licence license medallion bike bicycle
    scooter ebike vehiculo veiculo vehicule fahrzeug wagen veicolo voertuig pojazd pojazdu fordon kjoretoy koretoj ajoneuvo arac
    kendaraan onibus autobus autocar coche carro bicicleta bicicletta velo fahrrad fiets rower matricula placa plaque
    immatriculation kennzeichen targa kenteken plaka registracja interno prefixo ordem
    车牌 车牌号 车辆 车号 单车 車両 車番 차량 버스 автобус госномер машина`,
  ],
  [
    "sensor",
    "sensor meter lclid zahler contador compteur contatore licznik licznika sayac smartmeter probe node mote gateway 传感器 电表 センサー 센서 счетчик",
  ],
];
/** What may stand beside such a word in the name of an id. */
const ID_WORDS = words(
  "id ids unique no n nr nbr num nummer number numero numer code codigo key name nom nombre label hash uuid uid ref anon anonymous encrypted hashed masked the of de do da du del della",
);
/** What makes a name one of a fact about users: card_type, customer_country, passenger_count. */
const FACT_WORDS = words(
  `type kind class grade rank role title casual category segment group gender sex age birth birthday birthyear year status state country city region
  zip postcode language count number_of balance amount total income model make brand color colour location position
  latitude longitude lat lon lng x y time date start end from to direction speed score rating level plan since tipo typ genre
  price reading readings value values agent os version comment feedback text note notes description`,
);
/** Of one event each, so that no one is found by it twice. */
const EVENT_WORDS = words(
  `trip ride shift event record message transaction tx txn seq sequence journey order invoice receipt rental session booking reservation visit
  row line_item response measurement sample observation reading run tour entry log index uuid guid viaje viagem trajet
  fahrt viaggio corsa reis przejazd pedido factura fatura commande facture bestellung rechnung ordine fattura zamowienie
  transaccion transacao transaktion transazione transakcja 订单 订单号 行程 注文 주문 заказ поездка`,
);

/** What groups are made of, the most telling first. */
const GROUP_WORDS: ReadonlyArray<readonly string[]> = [
  `shop store business merchant retailer outlet branch restaurant hotel venue seller vendor company filiale filial tienda loja magasin geschaft laden
  negozio winkel sklep magaza butik 店 商店 店铺 매장 магазин`,
  `item movie film product book isbn song track artist album game app article sku stock stockcode asin joke course recipe beer
  wine anime producto produto produit produkt prodotto articulo artikel articolo pelicula libro livre buch 商品 电影 상품 товар`,
  `ward hospital clinic department dept abteilung departamento school university faculty facility project`,
  `zone area grid region district borough neighborhood neighbourhood county province municipality quartier barrio bairro
  stadtteil bezirk wijk zona dzielnica 区 район`,
  `station stop stand terminal location site tower place estacion estacao parada haltestelle halte arret fermata przystanek durak gare bahnhof stazione 站 站点 駅 역 станция остановка`,
  `route line linea linha ligne linie lijn linia hat ruta rota rotta 线路 路線 노선 маршрут`,
  `category segment sector industry genre kategorie categoria categorie kategoria`,
  `city country town stadt ciudad cidade ville citta stad miasto pais pays land paese kraj`,
].map((text) => [...words(text)]);

/** Rows of several measures in one column need these to tell what a number is. */
const MEASURE_WORDS = words(
  "parameter pollutant variable measure measurand metric indicator quantity_name contaminante polluant schadstoff",
);

const LATITUDE = words(
  "lat latitude latitud latitudine breitengrad breite szerokosc enlem latitud_gps 纬度 緯度 위도 широта",
);
const LONGITUDE = words(
  "lon lng long longitude longitud longitudine langengrad lange dlugosc boylam 经度 経度 경도 долгота",
);
const TIME = words(
  `time date datetime timestamp ts tstp observed when created updated epoch unix started ended start end pickup dropoff seen at
  hora fecha data datahora datum zeit zeitpunkt zeitstempel uhrzeit heure horodatage ora tijd tijdstip czas saat tarih zaman
  waktu tanggal 时间 日期 時刻 日時 시간 날짜 время дата`,
);

const VALUES: readonly RegExp[] = [
  /speed|velocit|velocidad|vitesse|geschwindigkeit|snelheid|predkosc|hastighe|nopeus|kecepatan|(^|_)hiz(_|$)|速度|时速|속도|скорость/,
  /amount|balance|income|price|spend|cost|fare|total|paid|rating|score|stars|salar|wage|importe|(^|_)valor|montant|betrag|(^|_)prezzo|preis|(^|_)prix|(^|_)precio|(^|_)preco|kwota|(^|_)cena|bedrag|tutar|gehalt|bewertung|金额|价格|金額|評価|금액|가격|сумма|цена/,
  /value|delay|lateness|retard|verspatung|(^|_)rate$|level|reading|pm2|pm10|no2|ozone|temp(?!l|or)|duration|distance|miles|kilomet|(^|_)(secs|seconds|minutes|hours_worked)(_|$)|energy|kwh|consumption|humidity|systolic|diastolic|pressure|glucose|weight|height|(^|_)(wert|messwert|wartosc|mesure|misura|dato|steps?|overall|satisfaction|calories|tip|tips|duracion|duracao|duree|dauer|durata)(_|$)|값|значение/,
];

/** Lower case, without marks on letters, with underscores: `VehículoID` is `vehiculo_id`. */
export function plainName(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1_$2")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[łøđıæœß]/g, (letter) => UNMARKED[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_+|_+$/g, "");
}

const UNMARKED: Readonly<Record<string, string>> = { ł: "l", ø: "o", đ: "d", ı: "i", æ: "a", œ: "oe", ß: "ss" };

/** What kind of user the name speaks of; undefined for facts about users and for everything else. */
export function userKindOf(plain: string, isText: boolean): UserKind | undefined {
  const tokens = plain.split("_");
  if (tokens.some((token) => EVENT_WORDS.has(token) || FACT_WORDS.has(token))) return undefined;
  const last = tokens.findLast((token) => !ID_WORDS.has(token));
  if (last !== undefined && isGroupWord(last)) return undefined; // a bus stop is no bus
  for (const [kind, named] of USERS) {
    const others = tokens.filter((token) => !isWord(token, named));
    if (others.length === tokens.length) continue;
    // Of numbers only what is called an id is one for sure; text is seldom measured.
    if (isText || others.every((token) => ID_WORDS.has(token) || USERS.some(([, each]) => isWord(token, each))))
      return kind;
  }
  return undefined;
}

/** Names one event and nothing of it: `trip_id` does, `trip_delay` does not. */
export function isEventName(plain: string): boolean {
  const tokens = plain.split("_");
  const isEvent = (token: string): boolean => isWord(token, EVENT_WORDS);
  return (
    tokens.some(isEvent) &&
    tokens.every((token) => isEvent(token) || ID_WORDS.has(token) || USERS.some(([, named]) => isWord(token, named)))
  );
}

/** The rank of the group that the name speaks of, 0 the most telling; undefined where it speaks of none. */
export function groupRankOf(plain: string): number | undefined {
  const tokens = plain.split("_");
  const rank = GROUPS.findIndex((named) => tokens.some((token) => isWord(token, named)));
  return rank < 0 ? undefined : rank;
}

/** Names a group and nothing of it: `line` and `movie_id` do, `line_total` does not. */
export function isGroupId(plain: string): boolean {
  const tokens = plain.split("_");
  return tokens.some(isGroupWord) && tokens.every((token) => isGroupWord(token) || ID_WORDS.has(token));
}

function isGroupWord(token: string): boolean {
  return GROUPS.some((named) => isWord(token, named));
}

/** Says which of several measures a row is about. */
export function isMeasureName(plain: string): boolean {
  return MEASURE_WORDS.has(plain) || plain.split("_").some((token) => MEASURE_WORDS.has(token));
}

/** The rank of the wanted number that the name speaks of. */
export function valueRankOf(plain: string): number | undefined {
  const rank = VALUES.findIndex((pattern) => pattern.test(plain));
  return rank < 0 ? undefined : rank;
}

/** `pickup_latitude` is the latitude of `pickup`; undefined for any other name. */
export function latitudeOf(plain: string): string | undefined {
  return axisOf(plain, LATITUDE);
}

export function longitudeOf(plain: string): string | undefined {
  return axisOf(plain, LONGITUDE);
}

export function isCoordinateName(plain: string): boolean {
  return latitudeOf(plain) !== undefined || longitudeOf(plain) !== undefined;
}

function axisOf(plain: string, axis: ReadonlySet<string>): string | undefined {
  const tokens = plain.split("_");
  const others = tokens.filter((token) => !axis.has(token));
  return others.length === tokens.length - 1 ? others.join("_") : undefined;
}

export function isTimeName(plain: string): boolean {
  return (
    !isOtherDate(plain) && (plain.split("_").some((token) => TIME.has(token)) || /time|date|timestamp/.test(plain))
  );
}

/** A date of a person or a thing, not of a record: of birth, of the end of a card. */
export function isOtherDate(plain: string): boolean {
  return /(^|_)(dob|born|exp)(_|$)|birth|geburt|naissance|nacimiento|nascimento|nascita|geboorte|urodz|dogum|expir|valid|signup|sign_up|joined|member_since|registration|生年|出生/.test(
    plain,
  );
}

/** One of the words, also in the plural or grown together with what makes it an id: `userid`, `kundennummer`, `usuarios`. */
function isWord(token: string, named: ReadonlySet<string>): boolean {
  if (named.has(token)) return true;
  const bare = token.replace(/(id|no|nr|num|nummer|number|name|code|hash|uid|番号|编号|編號|号码|号|번호)$/, "");
  return [bare, bare.replace(/(s|e|n|en|es)$/, "")].some((stem) => stem.length > 2 && named.has(stem));
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ""));
}

const USERS = USER_WORDS.map(([kind, text]) => [kind, words(text)] as const);
const GROUPS = GROUP_WORDS.map((named) => new Set(named));
