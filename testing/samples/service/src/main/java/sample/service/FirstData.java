package sample.service;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.datatype.DataTypes;
import java.time.Instant;
import java.util.List;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Writes a dataset of two days, and an array of the archive, where there are none. */
@Component
class FirstData implements InitializingBean {
  private static final double[] KELVIN = {
    285.5, 284, 283.5, 281, 280, 279.5, 286, 285, 284.5, 282, 281, Double.NaN
  };

  private final ZarrHierarchy earth;
  private final ZarrHierarchy archive;

  FirstData(ZarrHierarchy earth, @Qualifier("archive") ZarrHierarchy archive) {
    this.earth = earth;
    this.archive = archive;
  }

  @Override
  public void afterPropertiesSet() {
    earth.exists("").flatMap(exists -> exists ? Mono.empty() : writeEarth()).block();
    archive.exists("").flatMap(exists -> exists ? Mono.empty() : writeArchive()).block();
  }

  private Mono<Dataset> writeEarth() {
    return Dataset.builder()
        .coordinate(
            "time",
            List.of(Instant.parse("2026-11-01T00:00:00Z"), Instant.parse("2026-11-02T00:00:00Z")))
        .coordinate(
            "lat",
            NdArray.ofDoubles(Shape.of(2), 48, 46),
            lat -> lat.attribute("units", "degrees_north"))
        .coordinate(
            "lon",
            NdArray.ofDoubles(Shape.of(3), 14, 16, 18),
            lon -> lon.attribute("units", "degrees_east"))
        .variable(
            "t2m", List.of("time", "lat", "lon"), NdArray.ofDoubles(Shape.of(2, 2, 3), KELVIN))
        .write(earth, "");
  }

  private Mono<Dataset> writeArchive() {
    return Dataset.builder()
        .variable(
            "stations",
            List.of("station"),
            NdArray.ofInts(DataTypes.INT32, Shape.of(3), 11035, 11150, 11240))
        .write(archive, "");
  }
}
