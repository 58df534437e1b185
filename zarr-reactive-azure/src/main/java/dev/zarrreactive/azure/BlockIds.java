package dev.zarrreactive.azure;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the blocks of one upload. They tell when it was begun, which the service does not
 * say of blocks that no list names.
 *
 * @param upload the time and a random number
 */
record BlockIds(String upload) {
  private static final Pattern OURS = Pattern.compile("zarr-([0-9a-f]{12})-[0-9a-f]{8}-\\d{6}");

  /** Returns the names for an upload that begins now. */
  static BlockIds next() {
    return new BlockIds(
        String.format(
            Locale.ROOT,
            "zarr-%012x-%08x",
            Instant.now().toEpochMilli(),
            ThreadLocalRandom.current().nextInt()));
  }

  /** Returns the name of a block, in Base64; all have one length. */
  String of(int number) {
    String name = String.format(Locale.ROOT, "%s-%06d", upload, number);
    return Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns when the upload of a block was begun; null for a block of another program. */
  static @Nullable Instant begun(String id) {
    try {
      String name = new String(Base64.getDecoder().decode(id), StandardCharsets.US_ASCII);
      Matcher ours = OURS.matcher(name);
      return ours.matches() ? Instant.ofEpochMilli(Long.parseLong(ours.group(1), 16)) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
