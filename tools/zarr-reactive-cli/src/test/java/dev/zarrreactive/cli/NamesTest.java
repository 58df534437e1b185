package dev.zarrreactive.cli;

import static dev.zarrreactive.cli.CommandRun.EARTH;
import static dev.zarrreactive.cli.CommandRun.zarr;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong names are answered with those that are there. */
class NamesTest {
  @Test
  void a_path_that_is_not_there_is_answered_with_the_names_beside_it() {
    assertThat(zarr("read", EARTH + "/earth/LAT").err())
        .contains("no LAT (did you mean lat?) in earth, which has lat, lon, relief, rgb");
    assertThat(zarr("info", EARTH + "/earth/depth").err())
        .contains("no depth in earth, which has lat, lon, relief, rgb");
    assertThat(zarr("info", EARTH + "/erth/lat").err())
        .contains("no erth (did you mean earth?) in earth.zarr");
    assertThat(zarr("info", EARTH.resolveSibling("earth.zar").toString()).err())
        .contains("no such directory (did you mean earth.zarr?)");
  }

  @ParameterizedTest
  @CsvSource({"view", "read", "stream", "bench"})
  void a_group_in_the_place_of_an_array_names_its_arrays(String command) {
    assertThat(zarr(command, EARTH + "/earth").err())
        .contains("found a group; its arrays are lat, lon, relief, rgb");
  }

  @ParameterizedTest
  @CsvSource({
    "f4,float32",
    "<f8,float64",
    "u2,uint16",
    "flaot32,float32",
    "Float64,float64",
    "double,float64",
    "boolean,bool",
    "datetime64[s],numpy.datetime64",
  })
  void a_data_type_in_other_words_is_answered_with_the_name_in_zarr(String word, String name) {
    assertThat(zarr("create", "new.zarr", "--shape", "1", "--dtype", word).err())
        .contains("(did you mean ")
        .contains(name);
  }

  @Test
  void an_unknown_option_is_answered_with_a_near_one() {
    assertThat(zarr("copy", "a", "b", "--chnks", "3").err())
        .contains("Unknown option: --chnks (did you mean --chunks?)");
  }
}
