import RunModel
import Testing

@testable import Application

@Suite struct MachineTests {
    @Test func `a processor is identified by its name, or by its numbers if it has none`() {
        let named = "processor\t: 0\nmodel name\t: AMD EPYC 7763 64-Core Processor\n\nprocessor\t: 1\nmodel name\t: B\n"
        #expect(
            MachineClass(cpuinfo: named, cores: 2)
                == MachineClass(processor: "AMD EPYC 7763 64-Core Processor", cores: 2))
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
        #expect(MachineClass(cpuinfo: arm, cores: 1)?.description == "ARM 0x41 0xd0c, 1 core")
        for text in ["", "model name\t: \n", "CPU part : 1", "nonsense"] {
            #expect(MachineClass(cpuinfo: text, cores: 2) == nil)
        }
        #expect(MachineClass(cpuinfo: named, cores: 0) == nil)
    }
}
