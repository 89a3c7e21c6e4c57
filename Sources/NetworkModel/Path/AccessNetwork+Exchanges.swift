import HTTPVocabulary

/// Names, faults of exchanges, and the table of connections.
extension AccessNetwork {
    /// Calls `completion` with whether `host` has an address.
    func resolve(_ host: String, owner: String, _ completion: @escaping (Bool) -> Void) {
        resolver?.resolve(host, owner: owner, completion)
    }

    /// Arms a fault in the middle of an exchange; it fires once.
    package func intercept(_ interception: ExchangeInterception) {
        interceptions.append(ArmedInterception(interception))
    }

    /// Disarms every fault that has not fired.
    package func removeInterceptions() {
        interceptions.removeAll()
    }

    /// The fault that takes this request, if its turn has come.
    func takeRequestFault(for head: HTTPRequestHead) -> ExchangeInterception? {
        takeFault(for: head, \.concernsRequest)
    }

    /// The fault that takes this response, if its turn has come.
    func takeResponseFault(for head: HTTPRequestHead) -> ExchangeInterception? {
        takeFault(for: head) { !$0.concernsRequest }
    }

    private func takeFault(
        for head: HTTPRequestHead,
        _ concerns: (ExchangeInterception) -> Bool
    ) -> ExchangeInterception? {
        var due: ExchangeInterception?
        for index in interceptions.indices
        where concerns(interceptions[index].plan) && interceptions[index].plan.matches(head) {
            interceptions[index].seen += 1
            if due == nil, interceptions[index].seen == interceptions[index].plan.nth {
                due = interceptions[index].plan
                interceptions[index].hasFired = true
            }
        }
        interceptions.removeAll(where: \.hasFired)
        return due
    }

    // MARK: Connections

    /// Gives a connection its slot.
    func attach(_ connection: TCPConnection) -> Int {
        let slot = ConnectionSlot(
            connection: connection,
            number: connection.number,
            owner: number(of: connection.owner),
            isPortal: connection.isPortal
        )
        if let free = freeSlots.popLast() {
            slots[free] = slot
            return free
        }
        slots.append(slot)
        return slots.count - 1
    }

    /// Gives a QUIC connection its slot.
    func attach(_ connection: QUICConnection) -> Int {
        let slot = ConnectionSlot(
            quic: connection,
            number: connection.number,
            owner: number(of: connection.owner)
        )
        if let free = freeSlots.popLast() {
            slots[free] = slot
            return free
        }
        slots.append(slot)
        return slots.count - 1
    }

    /// Takes a connection out that both ends have forgotten.
    func detach(_ slot: Int) {
        slots[slot] = ConnectionSlot()
        freeSlots.append(slot)
    }

    /// Another request pays for a connection's packets.
    func noteOwner(_ owner: String, of number: Int64, in slot: Int) {
        if slots[slot].number == number { slots[slot].owner = self.number(of: owner) }
    }

    /// The number of an owner in `owners`: there are few.
    private func number(of owner: String) -> Int32 {
        if let known = owners.firstIndex(of: owner) { return Int32(known) }
        owners.append(owner)
        return Int32(owners.count - 1)
    }

    /// A connection's packets vanish from now on.
    func sever(_ number: Int64, in slot: Int) {
        if slots[slot].number == number { slots[slot].isSevered = true }
    }

    /// Every server forgets its connections, as after a restart: it answers them with resets.
    package func restartServers() {
        for slot in slots {
            slot.connection?.server.vanish()
            slot.quic?.server.vanish()
        }
    }

    /// Gives an exchange of the ideal transport its slot; slots are not used twice.
    func attach(_ exchange: IdealExchange) -> Int {
        ideals.append(exchange)
        return ideals.count - 1
    }

    /// Takes an exchange of the ideal transport out.
    func detachIdeal(_ slot: Int) {
        ideals[slot] = nil
    }
}

/// What a network keeps of one connection, so that a packet's way asks nothing of the connection.
struct ConnectionSlot {
    var connection: TCPConnection?
    var quic: QUICConnection?
    /// Zero while nobody has the slot.
    var number: Int64 = 0
    /// In the network's `owners`.
    var owner: Int32 = 0
    /// Packets vanish, both ways: a fault.
    var isSevered = false
    var isPortal = false
}
