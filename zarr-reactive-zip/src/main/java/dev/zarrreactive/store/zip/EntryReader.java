package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MemoryExhaustedException;
import dev.zarrreactive.error.StoreException;
import java.util.zip.DataFormatException;
import reactor.core.publisher.Mono;

/**
 * Reads the data of entries. Where they begin only the local header says: it comes along with the
 * first bytes asked for, and is remembered.
 */
final class EntryReader {
  /** Room for the extra fields of the local header: what common writers put there fits. */
  private static final int USUAL_EXTRAS = 64;

  /** How many unwanted bytes may come along where that saves a request. */
  private static final int MOST_UNWANTED = 1 << 16;

  private static final int MOST_AT_ONCE = 1 << 30;

  private final ZipSource source;

  /** By slot, from the local header on; zero is not known. Racing threads write the same. */
  private final int[] dataStarts;

  EntryReader(ZipSource source, int slots) {
    this.source = source;
    this.dataStarts = new int[slots];
  }

  /** The whole value, checked against its CRC-32. */
  Mono<Bytes> whole(StoreKey key, Entry entry) {
    String problem = entry.problem();
    if (problem == null && entry.compressedSize() > Bytes.MAX_SIZE) {
      problem = entry.size() + " bytes do not fit into one array; read the value by ranges";
    }
    if (problem != null) {
      String reason = problem;
      return Mono.error(() -> unreadable(key, reason));
    }
    return data(key, entry, 0, entry.compressedSize())
        .publishOn(ZipThreads.computing())
        .map(data -> decode(key, entry, data));
  }

  /** A part of the value; of a deflated one all is read. */
  Mono<Bytes> part(StoreKey key, Entry entry, ByteRange range) {
    ByteRange.Slice slice = range.resolve(key, entry.size());
    if (!entry.isStored() || slice.length() == entry.size() || entry.problem() != null) {
      return whole(key, entry)
          .map(value -> value.slice((int) slice.offset(), (int) slice.length()));
    }
    return slice.length() > Bytes.MAX_SIZE
        ? Mono.error(
            () ->
                unreadable(key, slice.length() + " bytes do not fit into one array; ask for less"))
        : data(key, entry, slice.offset(), slice.length());
  }

  private Mono<Bytes> data(StoreKey key, Entry entry, long from, long length) {
    return Mono.defer(
        () -> {
          int start = dataStarts[entry.slot()];
          if (length == 0) {
            return Mono.just(Bytes.EMPTY);
          }
          if (start > 0) {
            return source.read(entry.offset() + start + from, length);
          }
          if (from <= MOST_UNWANTED && from + length <= MOST_AT_ONCE) {
            return first(key, entry, (int) (from + length))
                .map(data -> data.slice((int) from, (int) length));
          }
          return first(key, entry, 0)
              .flatMap(
                  none -> source.read(entry.offset() + dataStarts[entry.slot()] + from, length));
        });
  }

  /** The first bytes of the data, with the local header before them. */
  private Mono<Bytes> first(StoreKey key, Entry entry, int length) {
    long wanted = (long) LocalHeader.SIZE + entry.name().size() + USUAL_EXTRAS + length;
    long most = source.end().offset() - entry.offset();
    return source
        .locate(
            () -> source.read(entry.offset(), Math.min(wanted, most)).filter(LocalHeader::begins))
        .switchIfEmpty(
            Mono.error(() -> unreadable(key, "no local header at byte " + entry.offset())))
        .flatMap(
            head -> {
              int start = begin(key, entry, head, most);
              int have = Math.max(0, Math.min(length, head.size() - start));
              Bytes data = have == 0 ? Bytes.EMPTY : head.slice(start, have);
              return have == length
                  ? Mono.just(data)
                  : source
                      .read(entry.offset() + start + have, length - have)
                      .map(rest -> have == 0 ? rest : join(data, rest));
            });
  }

  private int begin(StoreKey key, Entry entry, Bytes head, long most) {
    int start = LocalHeader.dataStart(head);
    String problem = LocalHeader.problem(head, entry);
    if (problem == null && start + entry.compressedSize() > most) {
      problem = "the data run into the central directory";
    }
    if (problem != null) {
      throw unreadable(key, problem);
    }
    dataStarts[entry.slot()] = start;
    return start;
  }

  private Bytes decode(StoreKey key, Entry entry, Bytes data) {
    Bytes value;
    try {
      value = entry.isStored() ? data : Inflation.inflate(data, (int) entry.size());
    } catch (OutOfMemoryError e) {
      throw new MemoryExhaustedException(
          "to inflate an entry of the zip " + source, entry.size(), Location.ofKey(key.value()), e);
    } catch (DataFormatException e) {
      throw new StoreException(
          "cannot read from the zip "
              + source
              + ": the deflated entry is damaged: "
              + e.getMessage(),
          Location.ofKey(key.value()),
          e);
    }
    int crc = Inflation.crc(value);
    if (crc != entry.crc()) {
      throw unreadable(
          key,
          String.format(
              "the entry is damaged: its CRC-32 is %08x and should be %08x", crc, entry.crc()));
    }
    return value;
  }

  private static Bytes join(Bytes first, Bytes second) {
    byte[] joined = new byte[first.size() + second.size()];
    first.copyTo(0, joined, 0, first.size());
    second.copyTo(0, joined, first.size(), second.size());
    return Bytes.wrap(joined);
  }

  private StoreException unreadable(StoreKey key, String reason) {
    return new StoreException(
        "cannot read from the zip " + source + ": " + reason, Location.ofKey(key.value()));
  }
}
