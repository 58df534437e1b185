import dev.zarrreactive.codec.InflaterProvider;
import dev.zarrreactive.libdeflate.LibdeflateInflaterProvider;

/** Decodes gzip and zlib with libdeflate, where the machine has it. */
@SuppressWarnings("requires-automatic")
module dev.zarrreactive.libdeflate {
  requires transitive dev.zarrreactive.format;
  requires com.sun.jna;
  requires static org.jspecify;

  exports dev.zarrreactive.libdeflate;

  provides InflaterProvider with
      LibdeflateInflaterProvider;
}
