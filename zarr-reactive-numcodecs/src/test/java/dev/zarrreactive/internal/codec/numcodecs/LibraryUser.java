package dev.zarrreactive.internal.codec.numcodecs;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.BytesToBytesCodec;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.codec.DecodeTarget;
import dev.zarrreactive.codec.SizeBound;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.List;
import java.util.concurrent.Callable;

/** Uses the optional libraries; loaded by {@link LibraryMissingTest} where they are not. */
public final class LibraryUser implements Callable<String> {
  private static final Bytes DATA = Bytes.utf8("123456789");
  private static final Bytes XZ =
      Use.hex(
          "fd377a585a000000ff12d9410200210116000000742fe5a3010008313233343536373839"
              + "000000000001190997a45ac206729e7a010000000000595a");

  @Override
  public String call() {
    StringBuilder report = new StringBuilder();
    for (String name : List.of("numcodecs.zlib", "numcodecs.bz2", "numcodecs.lzma")) {
      BytesToBytesCodec codec =
          (BytesToBytesCodec)
              new NumcodecsProvider()
                  .create(NamedConfiguration.of(name), CodecRegistry.of(List.of()));
      attempt(report.append(name).append(" encodes: "), () -> codec.encode(DATA));
      attempt(
          report.append(name).append(" decodes: "),
          () -> codec.decode(XZ, DecodeTarget.fresh(SizeBound.exactly(9))));
    }
    return report.toString();
  }

  private static void attempt(StringBuilder report, Callable<Bytes> work) {
    try {
      report.append(work.call().size() > 0).append('\n');
    } catch (Exception e) {
      report.append(e).append('\n');
    }
  }
}
