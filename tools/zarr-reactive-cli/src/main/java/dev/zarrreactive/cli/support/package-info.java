/** What a report of a fault needs, without secrets. */
@NullMarked
package dev.zarrreactive.cli.support;

import org.jspecify.annotations.NullMarked;
