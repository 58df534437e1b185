package dev.zarrreactive.store.zip;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The names of entries, which are keys (APPNOTE 4.4.17, 4.6.9 and appendix D). */
final class ZipNames {
  /** The flag that says that the name is in UTF-8. */
  static final int UTF8_FLAG = 1 << 11;

  private static final int UNICODE_PATH = 0x7075;
  private static final int UNIX = 3;
  private static final int MAC = 19;
  private static final int LONGEST_SHOWN = 200;

  /** The upper half of code page 437, which names are in that do not say otherwise. */
  private static final String UPPER_437 =
      "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»"
          + "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
          + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

  /** A drive of Windows at the start of a path. */
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z]:(/|$)");

  private ZipNames() {}

  /**
   * Decodes the name of a record; returns null if it is flagged as UTF-8 but is not. A name without
   * the flag is in code page 437. The {@code zip} programs of Unix write UTF-8 without the flag.
   */
  static @Nullable String decode(CentralRecord record) {
    Bytes name = record.name();
    if ((record.flags() & UTF8_FLAG) != 0) {
      return utf8(name);
    }
    Bytes unicode = unicodePath(record);
    if (unicode != null) {
      return utf8(unicode);
    }
    String silent = record.host() == UNIX || record.host() == MAC ? utf8(name) : null;
    return silent != null ? silent : codePage437(name);
  }

  /**
   * True where the name can be a key. A backslash is in none: some programs write it for a slash.
   */
  static boolean isKey(String name) {
    if (name.indexOf('\\') >= 0) {
      return false;
    }
    try {
      StoreKey.of(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the key that a name means which is none itself, as other programs unpack it; null if
   * that is not certain. A slash at the start, an empty segment and a segment {@code .} are left
   * out. Backslashes are slashes in a name that has no slash, as programs of Windows write it. A
   * name that leads up, has a drive, or has both kinds of slashes is uncertain.
   */
  static @Nullable String meant(String name) {
    boolean isOfWindows = name.indexOf('\\') >= 0;
    if (name.indexOf('\0') >= 0 || (isOfWindows && name.indexOf('/') >= 0)) {
      return null;
    }
    List<String> segments = new ArrayList<>();
    for (String segment : name.replace('\\', '/').split("/", -1)) {
      if (!segment.isEmpty() && !segment.equals(".")) {
        segments.add(segment);
      }
    }
    String key = String.join("/", segments);
    boolean hasDrive = isOfWindows && DRIVE.matcher(key).lookingAt();
    return hasDrive || !isKey(key) ? null : key;
  }

  /** The UTF-8 form; null where the text is no Unicode. */
  static byte @Nullable [] encode(String name) {
    try {
      ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(name));
      byte[] exact = new byte[bytes.remaining()];
      bytes.get(exact);
      return exact;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** A name for people: on one line and not long. */
  static String show(@Nullable String name) {
    if (name == null) {
      return "?";
    }
    StringBuilder shown = new StringBuilder("\"");
    name.chars()
        .limit(LONGEST_SHOWN)
        .forEach(c -> shown.append(Character.isISOControl(c) ? '\ufffd' : (char) c));
    return shown.append(name.length() > LONGEST_SHOWN ? "...\"" : "\"").toString();
  }

  /** The name in the extra field for it, where that was made for this very name. */
  private static @Nullable Bytes unicodePath(CentralRecord record) {
    Bytes field = Fields.extra(record.extras(), UNICODE_PATH);
    if (field == null || field.size() < 5 || field.get(0) != 1) {
      return null;
    }
    CRC32 crc = new CRC32();
    crc.update(record.name().asByteBuffer());
    return field.getInt(1) == (int) crc.getValue() ? field.slice(5, field.size() - 5) : null;
  }

  private static @Nullable String utf8(Bytes name) {
    try {
      return UTF_8.newDecoder().decode(name.asByteBuffer()).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static String codePage437(Bytes name) {
    StringBuilder text = new StringBuilder(name.size());
    for (int i = 0; i < name.size(); i++) {
      byte unit = name.get(i);
      text.append(unit >= 0 ? (char) unit : UPPER_437.charAt(unit & 0x7f));
    }
    return text.toString();
  }
}
