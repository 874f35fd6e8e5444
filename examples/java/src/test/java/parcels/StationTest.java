package parcels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StationTest {
    private Station station;

    @BeforeEach
    void setUp() {
        station = new Station(4);
        station.put(2, 4711);
    }

    @Test
    void findsWhatWasPut() {
        assertEquals(2, station.find(4711));
        assertEquals(-1, station.find(4712));
    }

    @Test
    void countsEmptyBoxes() {
        assertEquals(3, station.emptyBoxes());
        station.put(0, 1047);
        assertEquals(2, station.emptyBoxes());
    }

    @Test
    void neverPutsTwoIntoOneBox() {
        assertThrows(IllegalStateException.class, () -> station.put(2, 4712));
        assertEquals(2, station.find(4711));
    }
}
